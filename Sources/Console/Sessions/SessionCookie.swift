internal import Sockets

/// The cookie that holds a session's token.
///
/// Browsers keep one jar for all ports of a host, so the name carries the port: two signers on one machine do not sign each other
/// out. Behind TLS the name begins with `__Host-`, which browsers keep to exactly this host, secure, and path `/` (RFC 6265bis, 4.1.3).
struct SessionCookie {
  let origin: ConsoleOrigin

  var name: String { (origin.isSecure ? "__Host-" : "") + "holdfast-\(origin.port)" }

  /// The token that a request brings. Nil when it brings none, or two: then somebody else has set one of them.
  func token(in request: HTTPRequest) -> String? {
    let pieces = (request.header("cookie") ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let values = pieces.filter { $0.utf8.starts(with: "\(name)=".utf8) }.map { $0.dropFirst(name.utf8.count + 1) }
    guard values.count == 1, let value = values.first, (1...64).contains(value.utf8.count) else { return nil }
    return String(value)
  }

  func set(_ token: String) -> HTTPHeader { header("\(name)=\(token); Max-Age=\(Sessions.longestMilliseconds / 1000)") }

  func clear() -> HTTPHeader { header("\(name)=; Max-Age=0") }

  private func header(_ value: String) -> HTTPHeader {
    HTTPHeader("set-cookie", "\(value); Path=/; HttpOnly; SameSite=Strict\(origin.isSecure ? "; Secure" : "")")
  }
}
