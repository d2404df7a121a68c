import Ciphers
import SecretMemory

/// The passphrase of a kit: a Feistel network of four rounds over PBKDF2-HMAC-SHA256 (SLIP-39, "Encryption of the master secret").
///
/// Every passphrase, also the empty one, decrypts every kit. A wrong one gives another secret and never an error.
struct ShareCipher {
  /// Bytes of printable ASCII.
  static let longestPassphrase = 1024
  private static let rounds: [UInt8] = [0, 1, 2, 3]
  private static let iterations = 10_000
  private let salt: [UInt8]
  private let iterationsPerRound: Int

  init(_ numbers: ShareNumbers) {
    salt = numbers.isExtendable ? [] : Array("shamir".utf8) + [UInt8(numbers.identifier >> 8), UInt8(numbers.identifier & 0xff)]
    iterationsPerRound = (Self.iterations << numbers.exponent) / Self.rounds.count
  }

  /// - Parameter secret: an even number of bytes.
  func encrypted(_ secret: borrowing SecretBytes, _ passphrase: borrowing SharePassphrase) throws(ShareError) -> SecretBytes {
    try passed(secret, Self.rounds, passphrase)
  }

  /// - Parameter sealed: an even number of bytes.
  func decrypted(_ sealed: borrowing SecretBytes, _ passphrase: borrowing SharePassphrase) throws(ShareError) -> SecretBytes {
    try passed(sealed, Self.rounds.reversed(), passphrase)
  }

  private func passed(
    _ text: borrowing SecretBytes, _ rounds: [UInt8], _ passphrase: borrowing SharePassphrase
  ) throws(ShareError) -> SecretBytes {
    let half = text.count / 2
    var left = try Self.part(of: text, 0..<half)
    var right = try Self.part(of: text, half..<2 * half)
    for round in rounds {
      let mask = try mask(round, passphrase, right, count: half)
      left.mutate { left in mask.withBytes { mask in for index in 0..<half { left[index] ^= mask[index] } } }
      swap(&left, &right)
    }
    return try shareBytes(2 * half) { target in
      right.withBytes { target.place($0, at: 0) }
      left.withBytes { target.place($0, at: half) }
    }
  }

  private func mask(
    _ round: UInt8, _ passphrase: borrowing SharePassphrase, _ half: borrowing SecretBytes, count: Int
  ) throws(ShareError) -> SecretBytes {
    let password = try passphrase.password(round: round)
    let seasoning = try shareBytes(salt.count + half.count) { target in
      salt.withUnsafeBytes { target.place($0, at: 0) }
      half.withBytes { target.place($0, at: salt.count) }
    }
    return try password.withBytes { (password) throws(ShareError) in
      try seasoning.withBytes { (salt) throws(ShareError) in
        do throws(CipherError) {
          return try SHA256.pbkdf2(password: password, salt: salt, iterations: iterationsPerRound, count: count)
        } catch { throw error == .outOfMemory ? .outOfMemory : .library }
      }
    }
  }

  private static func part(of text: borrowing SecretBytes, _ range: Range<Int>) throws(ShareError) -> SecretBytes {
    try text.withBytes { (text) throws(ShareError) in try shareBytes(range.count) { $0.copyMemory(from: text.part(range)) } }
  }
}

/// A checked passphrase with a byte in front for the number of the round.
struct SharePassphrase: ~Copyable {
  private let text: SecretBytes

  /// The empty passphrase.
  init() throws(ShareError) { text = try shareBytes(1) { _ in } }

  /// - Throws: `.passphraseTooLong`, `.passphraseCharacter`.
  init(_ passphrase: borrowing SecretBytes) throws(ShareError) {
    guard passphrase.count <= ShareCipher.longestPassphrase else {
      throw .passphraseTooLong(limit: ShareCipher.longestPassphrase)
    }
    let strange = passphrase.withBytes { $0.firstIndex { !(0x20...0x7e).contains($0) } }
    if let strange { throw .passphraseCharacter(position: strange + 1) }
    text = try passphrase.withBytes { (bytes) throws(ShareError) in try shareBytes(bytes.count + 1) { $0.place(bytes, at: 1) } }
  }

  borrowing func password(round: UInt8) throws(ShareError) -> SecretBytes {
    try text.withBytes { (bytes) throws(ShareError) in
      try shareBytes(bytes.count) { target in
        target.copyMemory(from: bytes)
        target[0] = round
      }
    }
  }
}
