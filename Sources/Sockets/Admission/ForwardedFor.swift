/// Finds the client of a request that came through proxies which the owner named.
///
/// Each proxy appends the address it saw (`X-Forwarded-For: client, proxy, …`). The header is therefore read from its end: the
/// last address that is not one of the owner's proxies is the client. Anybody may have written the addresses before it.
enum ForwardedFor {
  static let header = "x-forwarded-for"
  /// The most proxies in a row.
  private static let mostHops = 16

  /// - Returns: nil when the peer is not one of the owner's proxies, or when the header cannot be read.
  static func client(of request: HTTPRequest, behind proxies: [AddressRange]) -> NetworkAddress? {
    guard !proxies.isEmpty, case .tcp(let text, _) = request.peer, let peer = NetworkAddress(parsing: text),
      proxies.contains(where: { $0.contains(peer) }), let list = request.header(header)
    else { return nil }
    var found: NetworkAddress?
    for hop in list.split(separator: ",", omittingEmptySubsequences: false).suffix(mostHops).reversed() {
      guard let address = address(hop) else { break }
      found = address
      guard proxies.contains(where: { $0.contains(address) }) else { break }
    }
    return found
  }

  /// `1.2.3.4`, `1.2.3.4:567`, `2001:db8::1` or `[2001:db8::1]:567`.
  private static func address(_ hop: Substring) -> NetworkAddress? {
    let text = hop.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    if let address = NetworkAddress(parsing: text) { return address }
    if text.first == "[" { return NetworkAddress(parsing: text.dropFirst().prefix { $0 != "]" }) }
    guard text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else { return nil }
    return NetworkAddress(parsing: text.prefix { $0 != ":" })
  }
}
