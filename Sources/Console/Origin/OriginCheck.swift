internal import Sockets

/// What every request must pass before anything is looked at: it is meant for this signer, and comes from its own pages.
///
/// A page of a stranger can make the browser send requests here. Under a name that it lets point here (DNS rebinding) the `Host`
/// header shows that name; under our own address the `Origin` header shows the stranger's. Neither can be set by a page.
struct OriginCheck: Sendable {
  /// The addresses by which the console may be reached.
  let origins: [ConsoleOrigin]
  /// We listen on every address of the machine: any literal address is then one of ours. No name is meant by it.
  let takesAnyAddress: Bool
  let isSecure: Bool
  let port: UInt16

  /// Why somebody is turned away.
  enum Refusal: Error, Equatable {
    case notThisHost
    case notProtected
    case foreignOrigin
    case methodNotAllowed
    case contentTypeUnknown
  }

  /// - Returns: the address under which the browser sees us.
  func origin(of request: HTTPRequest) throws(Refusal) -> ConsoleOrigin {
    guard let host = request.header("host")?.lowercased(), let found = origin(host: host) else { throw .notThisHost }
    // Without TLS, a cookie would cross the network in clear.
    guard found.isSecure || Self.isLoopback(request.peer) else { throw .notProtected }
    return found
  }

  private func origin(host: String) -> ConsoleOrigin? {
    if let known = origins.first(where: { $0.authority == host }) { return known }
    guard takesAnyAddress, let asked = ConsoleOrigin(parsing: host, isSecure: isSecure, port: isSecure ? 443 : 80),
      asked.port == port, Self.isAddress(asked.host)
    else { return nil }
    return asked
  }

  /// A request that may change something.
  func checkCall(_ request: HTTPRequest, at origin: ConsoleOrigin) throws(Refusal) {
    guard request.method == "POST" else { throw .methodNotAllowed }
    try checkOrigin(request, at: origin)
    // A form of another page can send neither of these without asking first, and is never answered when it asks.
    let type = request.header("content-type")?.lowercased().split(separator: ";").first.map(String.init)
    guard type == "application/json" || type == "application/octet-stream" else { throw .contentTypeUnknown }
  }

  /// The page that asks must be one of ours. A browser says so on every POST and on every WebSocket.
  func checkOrigin(_ request: HTTPRequest, at origin: ConsoleOrigin) throws(Refusal) {
    guard request.header("origin") == origin.text else { throw .foreignOrigin }
    // Older browsers and proxies leave it out.
    guard (request.header("sec-fetch-site") ?? "same-origin") == "same-origin" else { throw .foreignOrigin }
  }

  static func isLoopback(_ peer: Peer) -> Bool {
    guard case .tcp(let address, _) = peer else { return false }
    return address.hasPrefix("127.") || address == "::1"
  }

  private static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || (host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } && host.utf8.contains(0x2E))
  }
}
