import Ciphers
public import Curve
public import SecretMemory
import UnicodeNormalization

/// A secret key under a password (NIP-49): `ncryptsec1…`, bech32 of 91 bytes.
///
/// `2 | log2 N | salt 16 | nonce 24 | security 1 | ciphertext 32 | tag 16`; scrypt with r = 8 and p = 1 over the password in NFKC,
/// then XChaCha20-Poly1305 with the security byte as associated data.
public enum NIP49 {
  /// What the key's owner knows about its past.
  public enum Security: UInt8, Sendable {
    /// The key has been handled insecurely, for example stored unencrypted or pasted.
    case handledInsecurely = 0
    /// Nothing of the sort is known.
    case notKnownInsecure = 1
    /// The client does not keep track.
    case untracked = 2
  }

  /// The most that log2 of the cost may be, in reading and writing: 4 GiB.
  public static let maximumLogN = 22
  /// 64 MiB, about 0.2 seconds.
  public static let standardLogN = 16
  /// Length of the bytes inside.
  static let length = 91

  /// What can be read without the password. It is authenticated only by `decrypt`.
  public struct Header: Sendable, Equatable {
    /// log2 of the cost: memory is 2^logN KiB.
    public let logN: Int
    /// What the owner says about the key's past.
    public let security: Security

    /// A header of its parts.
    public init(logN: Int, security: Security) { (self.logN, self.security) = (logN, security) }
  }

  /// Reads what needs no password.
  /// - Parameter text: perhaps from a stranger.
  public static func header(of text: UnsafeRawBufferPointer) throws(EntityError) -> Header {
    try withParts(text) { (header, _) throws(EntityError) in header }
  }

  /// Decrypts. Takes 2^logN KiB of memory and a time in proportion.
  /// - Parameters:
  ///   - text: `ncryptsec1…`, perhaps from a stranger.
  ///   - password: UTF-8 in any normalisation form, or empty.
  ///   - limit: the most that log2 of the cost may be; more is refused before memory is taken.
  /// - Throws: `.costOutOfRange`, `.wrongPassword`, `.unusablePassword`, or a fault of the text.
  public static func decrypt(
    _ text: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer, limit: Int = maximumLogN
  ) throws(EntityError) -> SecretKey {
    try withParts(text) { (header, bytes) throws(EntityError) in
      let highest = min(limit, maximumLogN)
      guard header.logN >= 1, header.logN <= highest else { throw EntityError.costOutOfRange(logN: header.logN, limit: highest) }
      let key = try passwordKey(password, salt: Array(bytes[2..<18]), logN: header.logN)
      let secret: SecretBytes
      do throws(CipherError) {
        secret = try key.withBytes { (key) throws(CipherError) in
          try ChaChaPoly.open(
            UnsafeRawBufferPointer(rebasing: bytes[43..<91]), key: key, nonce: Array(bytes[18..<42]), associated: [bytes[42]])
        }
      } catch { throw error == .outOfMemory ? EntityError.outOfMemory : .wrongPassword }
      do throws(CurveError) { return try SecretKey(secret) } catch { throw EntityError(error) }
    }
  }

  /// As above.
  public static func decrypt(
    _ text: borrowing SecretBytes, password: borrowing SecretBytes, limit: Int = maximumLogN
  ) throws(EntityError) -> SecretKey {
    try text.withBytes { (text) throws(EntityError) in
      try password.withBytes { (password) throws(EntityError) in try decrypt(text, password: password, limit: limit) }
    }
  }

  /// Encrypts under fresh salt and nonce.
  /// - Parameters:
  ///   - password: 1 byte or more of UTF-8, in any normalisation form.
  ///   - logN: log2 of the cost, 1 to 22.
  /// - Returns: `ncryptsec1…`, ASCII. Not secret in itself, but NIP-49 advises against publishing it.
  public static func encrypt(
    _ secret: borrowing SecretKey, password: borrowing SecretBytes, logN: Int = standardLogN,
    security: Security = .untracked
  ) throws(EntityError) -> [UInt8] {
    guard (1...maximumLogN).contains(logN) else { throw .costOutOfRange(logN: logN, limit: maximumLogN) }
    let (salt, nonce) = (SystemRandom.bytes(16), SystemRandom.bytes(24))
    let key = try password.withBytes { (password) throws(EntityError) in try passwordKey(password, salt: salt, logN: logN) }
    let sealed: [UInt8]
    do {
      sealed = try key.withBytes { (key) throws(CipherError) in
        try secret.withBytes { (secret) throws(CipherError) in
          try ChaChaPoly.seal(secret, key: key, nonce: nonce, associated: [security.rawValue])
        }
      }
    } catch { throw .outOfMemory }
    let bytes = [2, UInt8(logN)] + salt + nonce + [security.rawValue] + sealed
    let length = Bech32.encodedLength(prefix: "ncryptsec", count: bytes.count)
    return [UInt8](unsafeUninitializedCapacity: length) { target, filled in
      let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[0..<length])
      bytes.withUnsafeBytes { Bech32.encode($0, prefix: "ncryptsec", into: target) }
      filled = length
    }
  }

  private static func withParts<R: ~Copyable>(
    _ text: UnsafeRawBufferPointer, _ body: (Header, UnsafeRawBufferPointer) throws(EntityError) -> R
  ) throws(EntityError) -> R {
    try Bech32.withBytes(in: text, limit: NIP19.longestText) { (prefix, bytes) throws(EntityError) in
      guard prefix.equals("ncryptsec") else { throw EntityError.otherPrefix }
      guard let version = bytes.first else { throw EntityError.wrongLength(0) }
      guard version == 2 else { throw EntityError.unknownVersion(version) }
      guard bytes.count == length else { throw EntityError.wrongLength(bytes.count) }
      guard let security = Security(rawValue: bytes[42]) else { throw EntityError.unknownVersion(bytes[42]) }
      return try body(Header(logN: Int(bytes[1]), security: security), bytes)
    }
  }

  private static func passwordKey(
    _ password: UnsafeRawBufferPointer, salt: [UInt8], logN: Int
  ) throws(EntityError) -> SecretBytes {
    guard password.count > 0 else { return try scrypt(password, salt, logN) }
    let normal: SecretBytes
    do { normal = try Normalization.nfkc(password) } catch { throw error == .outOfMemory ? .outOfMemory : .unusablePassword }
    return try normal.withBytes { (password) throws(EntityError) in try scrypt(password, salt, logN) }
  }

  private static func scrypt(_ password: UnsafeRawBufferPointer, _ salt: [UInt8], _ logN: Int) throws(EntityError) -> SecretBytes
  {
    do { return try Scrypt.key(password: password, salt: salt, logN: logN, count: 32) } catch { throw .outOfMemory }
  }
}
