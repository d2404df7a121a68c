/// Hosts of addresses in one way of writing, as browsers read them (WHATWG URL, section 3.5): a number has many forms, and the
/// resolver takes each of them.
///
/// `127.1`, `0x7f000001`, `2130706433` and `[::ffff:127.0.0.1]` are all `127.0.0.1`. Two names that lead to one machine stay two hosts.
public enum HostAddress {
  /// Host and port between scheme and path, in one normal form.
  /// - Parameters:
  ///   - authority: ASCII.
  ///   - usualPort: the scheme's own, which is left out.
  /// - Returns: nil when it names a user, has an escape, no host or no usable port, or a host that looks like an IP address and is not one.
  public static func place(_ authority: ArraySlice<UInt8>, usualPort: Int) -> String? {
    // Neither a user's name nor a host in disguise: browsers read `%2e` there as a dot.
    guard !authority.contains(UInt8(ascii: "@")), !authority.contains(UInt8(ascii: "%")) else { return nil }
    let isBracketed = authority.first == UInt8(ascii: "[")
    let end =
      isBracketed
      ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }  // at most `endIndex`
      : authority.firstIndex(of: colon) ?? authority.endIndex
    guard let end, let host = normal(authority[..<end]), let port = port(authority[end...], usualPort: usualPort) else {
      return nil
    }
    return host + port
  }

  /// A host in lower case, without a dot at its end; an address as RFC 5952 writes it, an IPv4 address within IPv6 as IPv4.
  static func normal(_ text: ArraySlice<UInt8>) -> String? {
    var host = text.map(lowered)[...]
    if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
      return IPv6Text.pieces(host.dropFirst().dropLast()).map(IPv6Text.text)
    }
    if host.last == dot { host.removeLast() }
    guard let last = host.last, last != dot, !host.contains(where: isForbidden) else { return nil }
    guard endsInANumber(host) else { return String(decoding: host, as: UTF8.self) }
    return ipv4(host).map(dotted)
  }

  static func dotted(_ address: UInt32) -> String {
    stride(from: 24, through: 0, by: -8).map { String(address >> UInt32($0) & 0xff) }.joined(separator: ".")
  }

  /// - Parameter text: empty, or a colon and perhaps digits.
  private static func port(_ text: ArraySlice<UInt8>, usualPort: Int) -> String? {
    guard let first = text.first else { return "" }
    let digits = text.dropFirst()
    guard first == colon, digits.count <= 5, digits.allSatisfy(isDigit) else { return nil }
    guard !digits.isEmpty else { return "" }
    guard let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0 else { return nil }
    return Int(number) == usualPort ? "" : ":\(number)"
  }

  // MARK: IPv4

  private static func endsInANumber(_ host: ArraySlice<UInt8>) -> Bool {
    let last = host[((host.lastIndex(of: dot) ?? host.startIndex - 1) + 1)...]
    return last.allSatisfy(isDigit) || number(last) != nil
  }

  /// One to four numbers, the last of which fills the remaining bytes.
  private static func ipv4(_ host: ArraySlice<UInt8>) -> UInt32? {
    let parts = host.split(separator: dot, omittingEmptySubsequences: false).map { number($0) }
    guard parts.count <= 4, let last = parts.last ?? nil, last < 1 << UInt64(8 * (5 - parts.count)) else { return nil }
    var address = last
    for (place, part) in parts.dropLast().enumerated() {
      guard let part, part <= 0xff else { return nil }
      address |= part << UInt64(8 * (3 - place))
    }
    return UInt32(address)  // less than 2^32: each part was compared with its room
  }

  /// Decimal, octal behind a zero, or hexadecimal behind `0x`. What is larger than any address counts as that.
  private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard let first = text.first else { return nil }
    let isHexadecimal = text.starts(with: "0x".utf8)
    let isOctal = !isHexadecimal && first == UInt8(ascii: "0") && text.count > 1
    let (digits, radix) = isHexadecimal ? (text.dropFirst(2), UInt64(16)) : isOctal ? (text.dropFirst(), 8) : (text, 10)
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = hexadecimal(byte), digit < radix else { return nil }
      value = min(value * radix + digit, 1 << 32)
    }
    return value
  }

  // MARK: bytes

  static func hexadecimal(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Bytes that no name has, and that readers of addresses take differently.
  private static func isForbidden(_ byte: UInt8) -> Bool { "[]<>^|\\:/?#@%".utf8.contains(byte) || byte <= 0x20 || byte >= 0x7f }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
  private static let (dot, colon) = (UInt8(ascii: "."), UInt8(ascii: ":"))
}
