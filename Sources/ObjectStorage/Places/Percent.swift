import Encodings

/// Percent-encoding (RFC 3986).
enum Percent {
  private static let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
  private static let inPath = unreserved.union("/%!$&'()*+,;=:@".utf8)

  /// Encodes every byte but letters, digits and `-._~`, as Signature Version 4 requires.
  static func encoded(_ text: String, keeping kept: Set<UInt8> = []) -> String {
    encode(text) { unreserved.contains($0) || kept.contains($0) }
  }

  /// Encodes the bytes that are not allowed in a path. A percent sign is kept, as part of an encoded byte.
  static func encoded(path: String) -> String { encode(path, inPath.contains) }

  private static func encode(_ text: String, _ isKept: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isKept(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

  /// - Returns: nil for a percent sign without two digits after it, and for bytes that are not UTF-8.
  static func decode(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
