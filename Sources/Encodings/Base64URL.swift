/// Base 64 for URLs, RFC 4648 section 5, without padding, as JOSE, WebAuthn and Web Push write it. Reading is as strict as `Base64`:
/// one text stands for one run of bytes, and padding is refused.
public enum Base64URL {
  /// The text, without padding. Not for secrets: a string cannot be wiped.
  public static func string(_ bytes: some Collection<UInt8>) -> String {
    var text = Base64.encode(Array(bytes))
    while text.last == 0x3d { text.removeLast() }
    for (index, digit) in text.enumerated() {
      if digit == 0x2b { text[index] = 0x2d }  // + is -
      if digit == 0x2f { text[index] = 0x5f }  // / is _
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: nil for anything but the one text of some bytes.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count + 2)
    for digit in text {
      switch digit {
      case 0x2b, 0x2f, 0x3d: return nil
      case 0x2d: plain.append(0x2b)
      case 0x5f: plain.append(0x2f)
      default: plain.append(digit)
      }
    }
    while plain.count % 4 != 0 { plain.append(0x3d) }
    return Base64.decode(plain)
  }

  /// - Returns: nil for anything but the one text of some bytes.
  public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}
