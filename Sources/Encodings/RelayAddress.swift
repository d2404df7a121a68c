/// Addresses of relays in one normal form. Two addresses are always compared in this form.
///
/// Clients rewrite the addresses they are given: NDK puts a slash at the end of each, nostr-tools takes it away, browsers drop a
/// scheme's own port and change the case of a host.
public enum RelayAddress {
  /// The longest address taken, in bytes.
  public static let maximumLength = 2048

  /// The address with scheme and host in lower case, without the scheme's own port, a dot at the host's end and slashes at the end
  /// of path and query; percent-encoding as RFC 3986, section 6.2.2, writes it; a host that is an address as `HostAddress` does.
  ///
  /// For comparing only: connect to the address as it was written.
  /// - Parameter text: a stranger's, perhaps.
  /// - Returns: nil when it is too long, is not a `ws://` or `wss://` address, names a user, or has no host, no usable port, an escape in
  ///   its host, a host that looks like an IP address and is not one, a fragment, a byte outside visible ASCII, a quotation mark or a
  ///   backslash.
  public static func normal(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= maximumLength, bytes.allSatisfy(isAllowed), let (scheme, usualPort, length) = scheme(of: bytes) else {
      return nil
    }
    let rest = bytes[length...]
    let end = rest.firstIndex { $0 == slash || $0 == question } ?? rest.endIndex
    guard let place = HostAddress.place(rest[..<end], usualPort: usualPort) else { return nil }
    return scheme + place + String(decoding: target(rest[end...]), as: UTF8.self)
  }

  // MARK: scheme

  private static func scheme(of bytes: [UInt8]) -> (text: String, usualPort: Int, length: Int)? {
    for (scheme, port) in [("wss://", 443), ("ws://", 80)] {
      let length = scheme.utf8.count
      if bytes.count > length, bytes.prefix(length).map(HostAddress.lowered).elementsEqual(scheme.utf8) {
        return (scheme, port, length)
      }
    }
    return nil
  }

  // MARK: path and query

  private static func target(_ target: ArraySlice<UInt8>) -> [UInt8] {
    let path = target.prefix { $0 != question }
    let query = target.dropFirst(path.count)
    return Array(trimmed(decoded(path)) + trimmed(decoded(query)))
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[..<((bytes.lastIndex { $0 != slash }.map { $0 + 1 }) ?? 0)]
  }

  /// Escapes of characters that need none are written out; the hex digits of all others are in upper case. A `%` that begins no
  /// escape is written as one, so that it never begins another with what follows.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let value = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))?.first else {
        result += byte == UInt8(ascii: "%") ? escape(byte) : [byte]
        continue
      }
      rest = rest.dropFirst(2)
      result += isUnreserved(value) ? [value] : escape(value)
    }
    return result
  }

  private static func escape(_ value: UInt8) -> [UInt8] {
    [UInt8(ascii: "%")] + [value >> 4, value & 15].map { $0 < 10 ? 0x30 + $0 : 0x41 + $0 - 10 }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "#")
  }

  private static let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
}
