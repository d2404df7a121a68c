import Encodings

/// The addresses that logins name, in a normal form. Two texts for one place must not need two grants, and one grant must not
/// reach two places.
enum LoginAddress {
  /// The longest address taken, in bytes.
  static let maximumLength = 2048

  /// - Parameter text: a stranger's `ws://` or `wss://` address.
  /// - Returns: as `RelayAddress` writes it; nil when it is no such address.
  static func relay(_ text: String) -> String? { RelayAddress.normal(text) }

  /// - Parameter text: a stranger's `http://` or `https://` address.
  /// - Returns: scheme and host in one way of writing, without the scheme's own port and a path that is only a slash; other paths and
  ///   the query are kept byte for byte, a fragment is refused, because no server sees it. Nil when it is no such address.
  static func web(_ text: String) -> String? { canonical(text, ports: ["https": 443, "http": 80]) }

  /// The host of an address in our way of writing, without its port.
  static func hostName(_ canonical: String) -> String {
    let rest = canonical.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    let place = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    // The port stands behind the last colon; those of an IPv6 address stand in brackets.
    let isBracketed = place.first == UInt8(ascii: "[")
    let name = isBracketed ? place.prefix { $0 != UInt8(ascii: "]") } : place.prefix { $0 != UInt8(ascii: ":") }
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether an address in our way of writing names a host and nothing of it, or all of it.
  static func isHostAlone(_ canonical: String) -> Bool {
    let rest = canonical.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
    let path = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    return path.isEmpty || path.elementsEqual("/*".utf8)
  }

  /// - Parameter text: a host, or an address of one, as file logins name it.
  /// - Returns: the host without port, in lower case; nil when it is none.
  static func server(_ text: String) -> String? {
    let address = text.utf8.contains(UInt8(ascii: "/")) ? text : "https://" + text
    guard let canonical = web(address) else { return nil }
    let name = hostName(canonical)
    return name.isEmpty ? nil : name
  }

  private static func canonical(_ text: String, ports: [String: Int]) -> String? {
    let bytes = Array(text.utf8)
    // Visible ASCII; no backslash, quotation mark or fragment.
    guard bytes.count <= maximumLength,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x23 && $0 != 0x5c }),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let scheme = lower(bytes[..<colon])
    guard let port = ports[scheme], bytes[colon...].starts(with: Array("://".utf8)) else { return nil }
    let rest = bytes[(colon + 3)...]  // three bytes stand there: the line above saw them
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    // A user's name before the host makes one host look like another. So does one written in disguise (%65 for e).
    guard let place = HostAddress.place(rest[..<end], usualPort: port) else { return nil }
    let path = rest[end...]
    let trimmed = path.elementsEqual([UInt8(ascii: "/")]) ? path.dropLast() : path
    return scheme + "://" + place + String(decoding: trimmed, as: UTF8.self)
  }

  private static func lower(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
