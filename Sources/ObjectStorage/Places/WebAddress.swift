/// The address of a server: `https://[user@]host[:port][/path]`, or `http://` for this machine.
package struct WebAddress: Sendable, Hashable {
  /// The longest address, in bytes.
  package static let maximumLength = 2048

  /// Whether TLS is used.
  package let isSecure: Bool
  /// The text before an `@`; nil if there is none.
  package let user: String?
  /// Lower case; an IPv6 address in its brackets.
  package let host: String
  /// Nil for the scheme's default port.
  package let port: UInt16?
  /// Begins and ends with `/`; percent-encoded.
  package let path: String

  /// - Parameter text: what the owner typed. Characters that need it are percent-encoded. A password is refused, because
  ///   addresses are shown and stored unencrypted.
  /// - Throws: the first error found.
  package init(parsing text: String) throws(PlaceError) {
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
    let rest: Substring
    if text.hasPrefix("https://") {
      (isSecure, rest) = (true, text.dropFirst(8))
    } else if text.hasPrefix("http://") {
      (isSecure, rest) = (false, text.dropFirst(7))
    } else {
      throw .noAddress
    }
    guard !rest.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || Self.refused.contains($0) }) else { throw .noAddress }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    var authority = rest[..<slash]
    if let at = authority.lastIndex(of: "@") {
      let before = authority[..<at]
      guard !before.contains(":") else { throw .passwordInAddress }
      guard !before.isEmpty, let name = Percent.decode(String(before)) else { throw .noAddress }
      user = name
      authority = authority[authority.index(after: at)...]
    } else {
      user = nil
    }
    let (host, port) = try Self.hostAndPort(authority)
    (self.host, self.port) = (host, port == (isSecure ? 443 : 80) ? nil : port)
    path = Percent.encoded(path: rest[slash...].hasSuffix("/") ? String(rest[slash...]) : rest[slash...] + "/")
    guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else { throw .noAddress }
    guard isSecure || Self.isLoopback(host) else { throw .needsTLS }
  }

  /// Scheme, host and port.
  package var origin: String { (isSecure ? "https://" : "http://") + authority }

  /// Host and port, as in the `Host` header.
  package var authority: String { host + (port.map { ":\($0)" } ?? "") }

  /// The whole address without the user, fit to show.
  package var text: String { origin + path }

  // A query or fragment would end the path, and some programs read \ as /.
  private static let refused = Set("?#\\\"<>^`{|}".utf8)

  private static func hostAndPort(_ text: Substring) throws(PlaceError) -> (String, UInt16?) {
    let bytes = Array(text.utf8)
    let isBracketed = bytes.first == 0x5b
    let split = isBracketed ? bytes.firstIndex(of: 0x5d).map { $0 + 1 } : bytes.firstIndex(of: 0x3a) ?? bytes.endIndex
    guard let split, (1...255).contains(split) else { throw .noAddress }
    let allowed = isBracketed ? addressDigits : nameDigits
    guard bytes[..<split].allSatisfy(allowed.contains) else { throw .noAddress }
    let host = String(decoding: bytes[..<split], as: UTF8.self).lowercased()
    if split == bytes.endIndex { return (host, nil) }
    let digits = bytes[(split + 1)...]
    guard bytes[split] == 0x3a, (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { throw .noAddress }
    return (host, port)
  }

  private static let nameDigits = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
  private static let addressDigits = Set("[]:.0123456789abcdefABCDEF".utf8)

  /// By its name only. The address that is connected to is checked again.
  private static func isLoopback(_ host: String) -> Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }
}
