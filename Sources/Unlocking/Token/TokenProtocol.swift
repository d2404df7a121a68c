import Encodings
import Vault

/// The requests of the signer to the process that runs a driver.
///
/// A request: its number (1), the length of the body (4), the body. An answer: 0 or 1 (1), length (4), the result or an error.
/// Numbers are big-endian. Each request has one answer, in the same order.
enum TokenRequest: UInt8 {
  /// Load the drivers: 1 (1) for the one whose file is open as `TokenProtocol.module`, 0 for those in p11-kit's configuration.
  case start = 1
  /// List the tokens. Answer: number of slots (2), number of tokens (1), and for each token: label (32), manufacturer (32), model
  /// (16), serial number (16), flags (8), the length of the driver's path (2) and the path.
  case tokens
  /// Asks whether the token supports a mechanism: index in that list (1), use (1), bits (2). Answer: 0 for no, 1 for yes (1).
  case can
  /// Log in to a token, once: its index (1), whether there is a PIN (1), the PIN.
  case logIn
  /// Make a key: use (1), bits (2), id with its length (2), label with its length (2). Answer: a public key.
  case generate
  /// The public half: use (1), bits (2), id with its length (2). Answer: 1 (1) and a point (65), or 2 (1), modulus and exponent, each with
  /// its length (2).
  case publicKey
  /// Sign: a digest (32), id with its length (2). Answer: 64 bytes.
  case sign
  /// Agree on a key: id and point, each with its length (2). Answer: 32 bytes, secret.
  case agree
  /// Decrypt: id and ciphertext, each with its length (2). Answer: 32 bytes, secret.
  case decrypt
  /// Delete a key: id with its length (2).
  case delete
}

/// The constants of the protocol between signer and driver.
enum TokenProtocol {
  /// The header of each request and answer, in bytes.
  static let headerLength = 5
  /// The longest request and the longest answer without their headers, in bytes.
  static let maximumRequest = 4096
  static let maximumAnswer = 32 << 10
  /// The most tokens that are listed.
  static let maximumTokens = 64
  /// The child's two open files: the socket to the signer, and the driver's file.
  static let socket: Int32 = 3
  static let module: Int32 = 4
  /// The longest PIN, in bytes.
  static let maximumPIN = 255
  /// The longest modulus, in bytes.
  static let maximumModulus = 1024
  /// The longest public exponent, in bytes.
  static let maximumExponent = 8

  /// The header of a request or an answer.
  static func header(_ first: UInt8, _ length: Int) -> [UInt8] {
    var bytes = [first]
    bytes.append(bigEndian: UInt32(clamping: length))
    return bytes
  }
}

extension TokenKeyUse {
  /// Use (1) and bits (2).
  var encoded: [UInt8] {
    var (number, bits): (UInt8, Int)
    switch self {
    case .signing: (number, bits) = (1, 256)
    case .agreement: (number, bits) = (2, 256)
    case .decryption(let length): (number, bits) = (3, length)
    }
    var bytes = [number]
    bytes.append(bigEndian: UInt16(clamping: bits))
    return bytes
  }

  init?(_ reader: inout ByteReader) {
    guard let number = reader.byte(), let bits: UInt16 = reader.integer() else { return nil }
    switch number {
    case 1: self = .signing
    case 2: self = .agreement
    case 3: self = .decryption(bits: Int(bits))
    default: return nil
    }
  }
}

/// An error as it is sent over the socket: kind (1), words (1), the token's own number (8), remaining attempts (1; 255 for
/// unknown).
///
/// No text is sent. The signer shows only its own texts.
enum TokenFailureCode {
  static let length = 11
  private static let unknownTries: UInt8 = 255

  /// The possible subjects of a driver's error. A text is sent as its index in this list; the first one stands for any that is
  /// not in it.
  private static let words: [StaticString] = [
    "an answer of its driver", "memory", "loading the modules", "starting the module", "the token's module", "p11-kit",
    "the token",
    "logging in", "logging in: the token has no PIN yet", "opening a session", "logging out", "making a key",
    "making a key that cannot be taken out", "looking for a key", "reading a key's attribute", "deleting a key", "signing",
    "the key agreement", "opening with the token's key", "a key's attribute", "the token's public key", "the token's signature",
    "what the token opened", "the token's name", "a request to its driver",
  ]

  static func bytes(_ error: KeyStoreError) -> [UInt8] {
    switch error {
    case .itemNotFound: make(1)
    case .duplicateItem: make(2)
    case .authenticationFailed(let tries, _): make(3, tries: tries.map { UInt8(clamping: $0) } ?? unknownTries)
    case .userCancelled: make(4)
    case .biometryLockout: make(5)
    case .notPresent(let what): make(6, what)
    case .deviceFailed(let step, let code): make(7, step, code)
    case .corrupt(let what): make(8, what)
    default: make(7, "memory")
    }
  }

  private static func make(_ kind: UInt8, _ what: StaticString = "", _ code: UInt64 = 0, tries: UInt8 = unknownTries) -> [UInt8] {
    let place = words.firstIndex { "\($0)" == "\(what)" } ?? 0
    var bytes = [kind, UInt8(clamping: place)]
    bytes.append(bigEndian: code)
    return bytes + [tries]
  }

  /// - Returns: nil for anything that `bytes` does not write.
  static func error(_ bytes: [UInt8]) -> KeyStoreError? {
    var reader = ByteReader(bytes[...])
    guard bytes.count == length, let kind = reader.byte(), let place = reader.byte(), let code: UInt64 = reader.integer(),
      let tries = reader.byte(), words.indices.contains(Int(place))
    else { return nil }
    let what = words[Int(place)]
    switch kind {
    case 1: return .itemNotFound
    case 2: return .duplicateItem
    case 3: return .authenticationFailed(triesLeft: tries == unknownTries ? nil : Int(tries), waitSeconds: 0)
    case 4: return .userCancelled
    case 5: return .biometryLockout
    case 6: return .notPresent(what)
    case 7: return .deviceFailed(what, code: code)
    case 8: return .corrupt(what)
    default: return nil
    }
  }
}
