import CLinux
import CWebSockets
import Encodings
import Platform

/// The address of a WebSocket server: `ws://` or `wss://`, host, port, path and query (RFC 6455, section 3).
///
/// The syntax is strict: printable ASCII only, no user info, no fragment. The host is a name of letters, digits, `-`, `_` and
/// `.`, an IPv4 address, or an IPv6 address in brackets. Scheme and host are converted to lower case, and a default port is
/// dropped. A path that is only `/` is left out of `text`. Any other path is kept as it is, since servers may tell `/a` and `/a/`
/// apart. For us they are the same relay: two URLs are equal when `RelayAddress` gives the same normal form.
public struct WebSocketURL: Sendable {
  /// True for `wss`.
  public let isSecure: Bool
  /// Lower case, without brackets.
  public let host: String
  /// 1 to 65535.
  public let port: UInt16
  /// Path and query as sent to the server; begins with `/`.
  public let target: String
  private let normal: String

  /// - Parameter text: at most `SocketLimits.urlBytes` of ASCII, possibly from a stranger.
  /// - Throws: the first fault found.
  public init(parsing text: String) throws(WebSocketURLError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= SocketLimits.urlBytes else { throw .tooLong(limit: SocketLimits.urlBytes) }
    if let place = bytes.firstIndex(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(at: place) }
    guard let (isSecure, schemeLength) = Self.scheme(of: bytes) else { throw .notWebSocket }
    let rest = bytes.dropFirst(schemeLength)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let remainder = rest.dropFirst(authority.count)
    if authority.contains(UInt8(ascii: "@")) { throw .userInfo }
    let (host, port) = try Self.hostAndPort(authority, defaultPort: isSecure ? 443 : 80)
    let path = String(decoding: remainder, as: UTF8.self)
    self.isSecure = isSecure
    self.host = host
    self.port = port
    target = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    // A host that ends in a number but is not an IPv4 address, such as `relay.2`, is not valid.
    guard let normal = RelayAddress.normal(text) else { throw .hostMalformed }
    self.normal = normal
  }

  /// The address to connect to and to show.
  public var text: String { (isSecure ? "wss://" : "ws://") + authority + (target == "/" ? "" : target) }

  /// Host and, unless it is the scheme's default, port; IPv6 in brackets.
  public var authority: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    guard byte > 0x20, byte < 0x7F else { return false }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "#"):
      return false
    default: return true
    }
  }

  private static func scheme(of bytes: [UInt8]) -> (isSecure: Bool, length: Int)? {
    for (scheme, isSecure) in [("ws://", false), ("wss://", true)] {
      let length = scheme.utf8.count
      if bytes.count >= length, bytes.prefix(length).map(lowered).elementsEqual(scheme.utf8) { return (isSecure, length) }
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func hostAndPort(
    _ authority: ArraySlice<UInt8>, defaultPort: UInt16
  ) throws(WebSocketURLError) -> (String, UInt16) {
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .hostMalformed }
      let host = String(decoding: authority[..<end].dropFirst().map(lowered), as: UTF8.self)
      guard isIPv6(host) else { throw .hostMalformed }
      return (host, try port(authority[end...].dropFirst(), defaultPort: defaultPort))
    }
    let name = authority.prefix { $0 != UInt8(ascii: ":") }
    guard isName(name) else { throw .hostMalformed }
    let rest = authority.dropFirst(name.count)
    return (String(decoding: name.map(lowered), as: UTF8.self), try port(rest, defaultPort: defaultPort))
  }

  /// `text` is empty, or a colon followed by one to five digits.
  private static func port(_ text: ArraySlice<UInt8>, defaultPort: UInt16) throws(WebSocketURLError) -> UInt16 {
    guard let colon = text.first else { return defaultPort }
    let digits = text.dropFirst()
    guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { throw .portMalformed }
    return port
  }

  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard (1...253).contains(name.count) else { return false }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.enumerated().allSatisfy { place, label in
      if label.isEmpty { return place > 0 && place == labels.count - 1 }  // one dot at the end is allowed: the DNS root
      return label.count <= 63 && label.allSatisfy(isNameCharacter)
    }
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func isIPv6(_ host: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, host, &address) == 1
  }
}

extension WebSocketURL: Hashable {
  /// Whether both are addresses of the same relay.
  public static func == (a: WebSocketURL, b: WebSocketURL) -> Bool { a.normal == b.normal }

  /// Consistent with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(normal) }
}

extension WebSocketURL: CustomStringConvertible {
  /// The same as `text`.
  public var description: String { text }
}

/// What is wrong with a WebSocket URL.
public enum WebSocketURLError: Error, Equatable, Sendable {
  /// Longer than the limit, in bytes.
  case tooLong(limit: Int)
  /// A byte that is not printable ASCII, or a character that is not allowed in the URL (including a fragment's `#`). The position
  /// is in bytes.
  case characterNotAllowed(at: Int)
  /// Neither `ws://` nor `wss://`.
  case notWebSocket
  /// A user name or password before the host.
  case userInfo
  /// The host is empty or not a name or address.
  case hostMalformed
  /// The port is not a number from 1 to 65535.
  case portMalformed
}
