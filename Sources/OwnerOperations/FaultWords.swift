import Mnemonics
import Nostr

// The names of errors are for programmers; these words are for the owner.

extension EntityError {
  /// What is wrong with the text, for use after "because".
  var words: String {
    switch self {
    case .tooLong(let limit): "it is longer than \(limit) characters"
    case .invalidCharacter(let place): "character \(place + 1) is not allowed there"
    case .mixedCase: "upper case and lower case are mixed"
    case .missingPrefix, .otherPrefix: "its beginning is wrong"
    case .tooShort: "it is cut short"
    case .wrongChecksum: "a letter is wrong or missing"
    case .bech32m: "it has a checksum that Nostr does not use"
    case .isSecret: "it is a secret key, which does not belong here"
    case .deprecated: "its format is out of use"
    case .wrongLength, .strayBits, .malformedRecord, .missingRecord, .repeatedRecord:
      "its content has the wrong length or parts"
    default: "it is malformed"
    }
  }
}

extension MnemonicError {
  /// What is wrong with the words, for use after "because".
  var words: String {
    switch self {
    case .empty: "there are none"
    case .tooLong: "there are too many"
    case .notUTF8: "the text cannot be read"
    case .wordCount(let count): "there are \(count), and a mnemonic has 12, 15, 18, 21 or 24"
    case .unknownWord(let position): "word \(position) is not in any word list"
    case .checksum: "a word is wrong, or two are swapped"
    case .outOfMemory, .entropyLength, .library: "they could not be processed"
    }
  }
}
