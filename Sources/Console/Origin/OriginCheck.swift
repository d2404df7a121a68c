import Sockets

/// The first check of every request: it must be addressed to this signer and come from the signer's own pages.
///
/// A stranger's page can make the browser send requests here. If it uses a host name that resolves to this machine (DNS
/// rebinding), the `Host` header shows that name. If it uses our own address, the `Origin` header shows the stranger's origin. A
/// page can set neither header.
struct OriginCheck: Sendable {
  /// The addresses by which the console may be reached.
  let origins: [ConsoleOrigin]
  /// Whether the listener accepts connections on every address of the machine. Any literal address is then accepted; host names
  /// are not.
  let takesAnyAddress: Bool
  let isSecure: Bool
  let port: UInt16

  /// Why a request is refused.
  enum Refusal: Error, Equatable {
    case notThisHost
    case notProtected
    case foreignOrigin
    case methodNotAllowed
    case contentTypeUnknown
  }

  /// - Returns: the address under which the browser reached the console.
  func origin(of request: HTTPRequest) throws(Refusal) -> ConsoleOrigin {
    guard let host = request.header("host")?.lowercased(), let found = origin(host: host) else { throw .notThisHost }
    // Without TLS, the cookie would cross the network unencrypted.
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

  /// Checks a request that may change something.
  func checkCall(_ request: HTTPRequest, at origin: ConsoleOrigin) throws(Refusal) {
    guard request.method == "POST" else { throw .methodNotAllowed }
    try checkOrigin(request, at: origin)
    // A form of another page cannot send either of these without a preflight request, which is never answered.
    let type = request.header("content-type")?.lowercased().split(separator: ";").first.map(String.init)
    guard type == "application/json" || type == "application/octet-stream" else { throw .contentTypeUnknown }
  }

  /// The requesting page must be one of ours. Browsers send its origin with every POST and every WebSocket handshake.
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
