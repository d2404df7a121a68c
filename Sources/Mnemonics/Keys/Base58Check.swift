import Ciphers
import Encodings
public import SecretMemory

/// Base58Check as Bitcoin writes keys: the payload and four bytes of its double SHA-256, in base 58.
///
/// Works in secret memory throughout, for an `xprv` is a key. Quadratic in the length, so both directions have a limit.
public enum Base58Check {
  /// The longest payload, in bytes; an extended key has 78.
  public static let longestPayload = 128
  /// The longest text, in characters, that `longestPayload` can give.
  public static let longestText = 181
  private static let alphabet: StaticString = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
  private static let checksumLength = 4

  /// - Parameter payload: 1 to `longestPayload` bytes.
  /// - Returns: ASCII text.
  /// - Throws: `.payloadLength`, `.outOfMemory`.
  public static func encode(_ payload: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> SecretBytes {
    guard payload.count > 0, payload.count <= longestPayload else { throw .payloadLength(payload.count) }
    let checked = try keyBytes(payload.count + checksumLength) { target in
      target.place(payload, at: 0)
      writeChecksum(of: payload, to: UnsafeMutableRawBufferPointer(rebasing: target[payload.count...]))
    }
    return try checked.withBytes { (bytes) throws(ExtendedKeyError) in try text(of: bytes) }
  }

  /// - Parameter text: 1 to `longestText` bytes of ASCII, no white space.
  /// - Returns: the payload without its checksum.
  /// - Throws: `.textLength`, `.notBase58`, `.checksum` (also for a text too short to have one), `.outOfMemory`.
  public static func decode(_ text: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> SecretBytes {
    guard text.count > 0, text.count <= longestText else { throw .textLength(text.count) }
    let checked = try bytes(of: text)
    return try checked.withBytes { (bytes) throws(ExtendedKeyError) in
      let count = bytes.count - checksumLength
      guard count > 0 else { throw .checksum }
      let expected = try keyBytes(checksumLength) { writeChecksum(of: bytes.part(0..<count), to: $0) }
      guard expected.withBytes({ constantTimeEqual($0, bytes.part(count..<bytes.count)) }) else { throw .checksum }
      return try keyBytes(count) { $0.copyMemory(from: bytes.part(0..<count)) }
    }
  }

  private static func writeChecksum(of payload: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    let digest = SHA256.digest(of: payload).withUnsafeBytes { SHA256.digest(of: $0) }
    digest.withUnsafeBytes { target.copyMemory(from: $0.part(0..<checksumLength)) }
  }

  /// The digits of the number that the bytes are; a leading zero byte is a leading `1`.
  private static func text(of bytes: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> SecretBytes {
    // log(256) / log(58) is below 1.366.
    let digits = try converted(bytes, from: 256, to: 58, room: bytes.count * 1366 / 1000 + 1)
    return try digits.withBytes { (digits) throws(ExtendedKeyError) in
      let zeros = digits.prefix { $0 == 0 }.count
      let ones = bytes.prefix { $0 == 0 }.count
      return try keyBytes(ones + digits.count - zeros) { text in
        for position in 0..<text.count {
          let digit = position < ones ? 0 : Int(digits[zeros + position - ones])
          text[position] = alphabet.bytes[digit]
        }
      }
    }
  }

  private static func bytes(of text: UnsafeRawBufferPointer) throws(ExtendedKeyError) -> SecretBytes {
    let digits = try keyBytes(text.count) { (digits) throws(ExtendedKeyError) in
      for (offset, character) in text.enumerated() {
        guard let digit = alphabet.bytes.firstIndex(of: character) else { throw .notBase58(offset: offset) }
        digits[offset] = UInt8(digit)
      }
    }
    return try digits.withBytes { (digits) throws(ExtendedKeyError) in
      let number = try converted(digits, from: 58, to: 256, room: digits.count)
      return try number.withBytes { (number) throws(ExtendedKeyError) in
        let zeros = number.prefix { $0 == 0 }.count
        let ones = digits.prefix { $0 == 0 }.count
        return try keyBytes(ones + number.count - zeros) { $0.place(number.part(zeros..<number.count), at: ones) }
      }
    }
  }

  /// The same number in another base, most significant digit first, with zeros in front.
  /// - Parameter room: enough digits for the number.
  private static func converted(
    _ digits: UnsafeRawBufferPointer, from: Int, to base: Int, room: Int
  ) throws(ExtendedKeyError) -> SecretBytes {
    try keyBytes(room) { target in
      for digit in digits {
        var carry = Int(digit)
        for position in target.indices.reversed() {
          carry += Int(target[position]) * from
          target[position] = UInt8(carry % base)
          carry /= base
        }
      }
    }
  }
}
