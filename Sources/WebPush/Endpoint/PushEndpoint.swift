/// The `https` address at which a push service accepts messages for one browser. Anybody who knows it may post to it, so it is
/// not shown.
package struct PushEndpoint: Sendable, Hashable {
  /// The longest address, in bytes.
  package static let maximumLength = 2048

  /// The whole address, as given.
  package let text: String
  /// The host, lower case; an IPv6 address in its brackets.
  package let host: String
  /// 443 unless the address says otherwise.
  package let port: UInt16

  /// - Parameter text: `https://host[:port]/path`, possibly from a stranger. No user name, no fragment, printable ASCII only.
  /// - Throws: `.endpointTooLong`, `.endpointNotHTTPS`, `.endpointMalformed`.
  package init(parsing text: String) throws(WebPushError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumLength else { throw .endpointTooLong(limit: Self.maximumLength) }
    guard bytes.starts(with: "https://".utf8) else { throw .endpointNotHTTPS }
    guard bytes.allSatisfy({ (0x21...0x7e).contains($0) && !Self.refused.contains($0) }) else { throw .endpointMalformed }
    let rest = bytes.dropFirst(8)
    let end = rest.firstIndex { $0 == 0x2f || $0 == 0x3f } ?? rest.endIndex
    guard end == rest.endIndex || rest[end] == 0x2f else { throw .endpointMalformed }
    guard let (host, port) = Self.authority(rest[..<end]) else { throw .endpointMalformed }
    (self.text, self.host, self.port) = (text, host, port)
  }

  /// Scheme, host and port as in a browser's origin. A VAPID token is valid for it.
  package var origin: String { "https://\(host)" + (port == 443 ? "" : ":\(port)") }

  // @ and # would change the host, and some programs read \ as /.
  private static let refused = Set("@#\\\"<>^`{|}".utf8)

  private static func authority(_ bytes: ArraySlice<UInt8>) -> (String, UInt16)? {
    let isBracketed = bytes.first == 0x5b
    let split = isBracketed ? bytes.firstIndex(of: 0x5d).map { $0 + 1 } : bytes.firstIndex(of: 0x3a) ?? bytes.endIndex
    guard let split, split > bytes.startIndex, split - bytes.startIndex <= 255 else { return nil }
    let allowed = isBracketed ? addressDigits : nameDigits
    guard bytes[..<split].allSatisfy(allowed.contains) else { return nil }
    let host = String(decoding: bytes[..<split], as: UTF8.self).lowercased()
    if split == bytes.endIndex { return (host, 443) }
    let digits = bytes[(split + 1)...]
    guard bytes[split] == 0x3a, (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard number > 0, let port = UInt16(exactly: number) else { return nil }
    return (host, port)
  }

  private static let nameDigits = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_".utf8)
  private static let addressDigits = Set("[]:.0123456789abcdefABCDEF".utf8)
}
