package import JSON
package import Mnemonics
package import Nostr

// The names of errors are for programmers; these words are for the owner.

extension EntityError {
  /// What is wrong with the text, for use after "because".
  package var words: String {
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
  package var words: String {
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

extension EventError {
  /// What is wrong with the event, for use after a colon.
  package var words: String {
    switch self {
    case .json(let error): error.words
    case .missing(let field): "“\(field.name)” is missing"
    case .duplicate(let field, _): "“\(field.name)” occurs twice"
    case .notHex(let field, _): "“\(field.name)” must be lower-case hex digits of the right length"
    case .outOfRange(.kind, _): "“kind” must be a number from 0 to 65535"
    case .outOfRange(let field, _): "“\(field.name)” is out of range"
    case .tooLarge(let field, let limit): "“\(field.name)” is larger than the limit of \(limit)"
    default: "it is malformed"
    }
  }
}

extension EventField {
  /// As NIP-01 names it.
  fileprivate var name: String {
    switch self {
    case .id: "id"
    case .pubkey: "pubkey"
    case .createdAt: "created_at"
    case .kind: "kind"
    case .tags: "tags"
    case .content: "content"
    case .signature: "sig"
    }
  }
}

extension JSONError {
  /// What is wrong with the text, for use after a colon.
  package var words: String {
    switch self {
    case .unexpectedEnd: "its JSON is cut short"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .tooManyValues(let limit): "it has more than \(limit) values"
    case .trailingBytes(let place): "something comes after its end, at byte \(place + 1)"
    case .wrongType(let place): "a value of another type was expected at byte \(place + 1)"
    case .duplicateKey(let place): "a name occurs twice, at byte \(place + 1)"
    case .notInteger(let place): "a whole number was expected at byte \(place + 1)"
    case .unexpectedByte(let place), .malformedUTF8(let place), .controlCharacter(let place), .malformedEscape(let place),
      .loneSurrogate(let place), .malformedNumber(let place), .tooDeep(let place):
      "it is not valid JSON at byte \(place + 1)"
    }
  }
}
