import WebPush

/// The address of a push proxy, to the letter as the proxy knows itself: each request signs it (NIP-98).
package struct ProxyAddress: Sendable, Hashable {
  /// The longest address, in bytes.
  package static let maximumLength = 255

  /// `https://host[:port]`, or `http://` for this machine; without a slash at the end.
  package let text: String
  /// Lower case; an IPv6 address in its brackets.
  package let host: String

  /// - Parameter text: what the owner wrote. One slash at the end is dropped.
  package init(parsing text: String) throws(PushRegistrationError) {
    let whole = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard whole.utf8.count <= Self.maximumLength,
      let scheme = ["https://", "http://"].first(where: { whole.hasPrefix($0) })
    else { throw .proxyMalformed }
    let rest = whole.dropFirst(scheme.count)
    guard !rest.contains("/"), let place = try? PushEndpoint(parsing: "https://" + rest) else { throw .proxyMalformed }
    guard scheme == "https://" || Self.loopback.contains(place.host) else { throw .proxyMalformed }
    (self.text, host) = (whole, place.host)
  }

  /// The hosts that plain http is allowed to. `HTTPClient` checks besides where the name leads.
  private static let loopback: Set = ["localhost", "127.0.0.1", "[::1]"]
}
