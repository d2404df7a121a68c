import Sockets

/// The cookie that holds a session's token.
///
/// Browsers share cookies between all ports of a host, so the name contains the port: two signers on one machine do not sign each
/// other out. With TLS the name begins with `__Host-`, which browsers restrict to exactly this host, secure connections and path
/// `/` (RFC 6265bis, 4.1.3).
struct SessionCookie {
  let origin: ConsoleOrigin

  var name: String { (origin.isSecure ? "__Host-" : "") + "holdfast-\(origin.port)" }

  /// The token of a request. Nil when there is none, or when there are two: then somebody else has set one of them.
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
