/// An address under which a browser may open the console: scheme, host and port, as in a browser's origin.
public struct ConsoleOrigin: Sendable, Hashable {
  /// Whether browsers connect with TLS, either to us or to a proxy.
  public let isSecure: Bool
  /// In lower case; an IPv6 address in brackets.
  public let host: String
  /// The port that the browser uses.
  public let port: UInt16

  /// The longest host name, in bytes (RFC 1035).
  static let longestHost = 253

  /// - Returns: nil when the host is not a name or address as a browser writes it.
  public init?(isSecure: Bool, host: String, port: UInt16) {
    let host = host.lowercased()
    guard Self.isHost(host) else { return nil }
    (self.isSecure, self.host, self.port) = (isSecure, host, port)
  }

  /// Reads the value of `--console-host`: a name, to be combined with the listener's port and scheme, or a whole origin such as
  /// `https://signer.example`, for a proxy that adds TLS.
  public init?(parsing text: String, isSecure: Bool, port: UInt16) {
    let schemes: [(String, Bool, UInt16)] = [("https://", true, 443), ("http://", false, 80)]
    for (scheme, isSecure, usualPort) in schemes where text.utf8.starts(with: scheme.utf8) {
      guard let (host, port) = Self.split(String(text.dropFirst(scheme.count))) else { return nil }
      self.init(isSecure: isSecure, host: host, port: port ?? usualPort)
      return
    }
    guard let (host, own) = Self.split(text) else { return nil }
    self.init(isSecure: isSecure, host: host, port: own ?? port)
  }

  /// As in the `Origin` header: without the scheme's default port.
  public var text: String { (isSecure ? "https://" : "http://") + authority }

  /// As in the `Host` header.
  var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// Whether the host is this machine under its own name or address.
  public var isOnThisMachine: Bool { host == "localhost" || host == "127.0.0.1" || host == "[::1]" }

  /// Whether WebAuthn accepts the host as a relying party: it must be a name, not an address.
  var canHavePasskeys: Bool {
    !host.hasPrefix("[") && (host == "localhost" || isSecure) && host.utf8.contains { !(0x30...0x39).contains($0) && $0 != 0x2E }
  }

  /// A host and its port, if it has one.
  private static func split(_ text: String) -> (String, UInt16?)? {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), text.utf8[colon...].allSatisfy({ $0 != UInt8(ascii: "]") })
    else { return (text, nil) }
    let digits = text.utf8[colon...].dropFirst()
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(String(text[colon...].dropFirst()))
    else { return nil }
    return (String(text[..<colon]), port)
  }

  private static func isHost(_ host: String) -> Bool {
    guard (1...longestHost).contains(host.utf8.count) else { return false }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 3
    let allowed = isBracketed ? "[]0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789.-_"
    return host.utf8.allSatisfy(Set(allowed.utf8).contains)
  }
}
