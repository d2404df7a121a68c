import Mnemonics
import Nostr

// The names of faults are for programmers; these are what the owner reads.

extension EntityError {
  /// What is wrong with the text, to stand after "because".
  var words: String {
    switch self {
    case .tooLong(let limit): "it is longer than \(limit) characters"
    case .invalidCharacter(let place): "character \(place + 1) is none that can stand there"
    case .mixedCase: "capitals and small letters are mixed"
    case .missingPrefix, .otherPrefix: "its beginning is not right"
    case .tooShort: "it is cut short"
    case .wrongChecksum: "a letter is wrong or missing"
    case .bech32m: "it is written in a form that Nostr does not use"
    case .isSecret: "it is a secret key, which does not belong here"
    case .deprecated: "its form is given up"
    case .wrongLength, .strayBits, .malformedRecord, .missingRecord, .repeatedRecord:
      "what is inside has the wrong length or parts"
    default: "it is not well formed"
    }
  }
}

extension MnemonicError {
  /// What is wrong with the words, to stand after "because".
  var words: String {
    switch self {
    case .empty: "there are none"
    case .tooLong: "there are too many"
    case .notUTF8: "the text cannot be read"
    case .wordCount(let count): "there are \(count), and a mnemonic has 12, 15, 18, 21 or 24"
    case .unknownWord(let position): "word \(position) is in no list of words"
    case .checksum: "one of them is another word of the list, or two are swapped"
    case .outOfMemory, .entropyLength, .library: "they could not be worked on"
    }
  }
}
