/// Base 16, RFC 4648 section 8. Written in lower case, read in either.
public enum Hex {
  @usableFromInline static let digits: StaticString = "0123456789abcdef"

  /// Two lower-case digits for each byte.
  public static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      write(bytes, to: text)
      return bytes.count * 2
    }
  }

  /// Two lower-case digits for each byte.
  public static func encode(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { encode($0) } }

  /// Writes two digits for each byte.
  /// - Parameter text: at least twice as long as `bytes`.
  public static func write(_ bytes: UnsafeRawBufferPointer, to text: UnsafeMutableBufferPointer<UInt8>) {
    precondition(text.count >= bytes.count * 2)  // our own bug, never a stranger's bytes
    let digits = digits.utf8Start
    var position = 0
    for byte in bytes {
      text[position] = digits[Int(byte >> 4)]
      text[position + 1] = digits[Int(byte & 15)]
      position += 2
    }
  }

  /// - Returns: nil for an odd number of digits or anything that is not one of the 22 ASCII digits.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
      guard let digit = value(of: character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// As above, from the text's UTF-8.
  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  /// Whether a byte is one of the digits that `encode` writes.
  public static func isDigit(_ character: UInt8) -> Bool {
    (0x30...0x39).contains(character) || (0x61...0x66).contains(character)
  }

  /// 0 to 15, or nil for a byte that is no ASCII hex digit.
  @inlinable
  public static func value(of character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x61 + 10
    case 0x41...0x46: character - 0x41 + 10
    default: nil
    }
  }
}
