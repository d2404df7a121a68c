/// Where a web page comes from, as browsers write it: `https://example.com`, `http://127.0.0.1:8080`, `https://[2001:db8::1]`.
///
/// Scheme, host and port, in the one form that browsers use, so that equal text means the same origin (RFC 6454, section 6.2): lower case,
/// international names in ASCII, no port where it is the scheme's own.
public struct WebOrigin: Hashable, Sendable {
  /// The most bytes of an origin.
  public static let longest = 300

  /// The origin, at most 300 bytes of ASCII.
  public let text: String
  /// Its host, without a port. An IPv6 address is in brackets.
  public let host: String
  /// Whether nobody between the page's server and the browser can change the page.
  public let isEncrypted: Bool

  /// - Returns: nil for anything but an `http` or `https` origin in the form above.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let (isEncrypted, rest) = Self.afterScheme(text),
      let (host, port) = Self.parts(of: rest), Self.isHost(host), Self.isPort(port, isEncrypted)
    else { return nil }
    (self.text, self.host, self.isEncrypted) = (text, String(host), isEncrypted)
  }

  /// Whether the page comes from this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1.
  public var isOnThisMachine: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || Self.isLoopback(host)
  }

  private static func isLoopback(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }

  private static func afterScheme(_ text: String) -> (isEncrypted: Bool, rest: Substring)? {
    for (scheme, isEncrypted) in [("https://", true), ("http://", false)] where text.hasPrefix(scheme) {
      return (isEncrypted, text.dropFirst(scheme.count))
    }
    return nil
  }

  private static func parts(of rest: Substring) -> (host: Substring, port: Substring?)? {
    let afterAddress = rest.hasPrefix("[") ? rest.firstIndex(of: "]") : rest.startIndex
    guard let afterAddress else { return nil }
    guard let colon = rest[afterAddress...].firstIndex(of: ":") else { return (rest, nil) }
    return (rest[..<colon], rest[rest.index(after: colon)...])
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("[") {
      return host.hasSuffix("]") && host.count > 4 && host.dropFirst().dropLast().utf8.allSatisfy { isHexDigit($0) || $0 == 0x3A }
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.utf8.count <= 253 && labels.allSatisfy { !$0.isEmpty && $0.utf8.count <= 63 && $0.utf8.allSatisfy(isOfLabel) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

  /// Lower-case letters, digits, `-`, and `_`, which some servers have in their names.
  private static func isOfLabel(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
  }

  private static func isPort(_ port: Substring?, _ isEncrypted: Bool) -> Bool {
    guard let port else { return true }
    guard let number = UInt16(port), number > 0, String(number) == port else { return false }
    return number != (isEncrypted ? 443 : 80)
  }
}
