internal import JSON
internal import OwnerAPI
internal import Sockets

/// One call of the API that has passed the door.
struct Call: Sendable {
  /// `noun/verb` or a verb; not checked yet.
  let operation: String
  let origin: ConsoleOrigin
  let cookie: SessionCookie
  private let http: HTTPRequest

  init(_ http: HTTPRequest, _ origin: ConsoleOrigin) {
    (self.http, self.origin) = (http, origin)
    cookie = SessionCookie(origin: origin)
    operation = String(http.path.dropFirst(Console.callPrefix.utf8.count))
  }

  /// The session token it brings.
  var token: String? { cookie.token(in: http) }

  var csrf: String? { http.header(Console.csrfHeader) }

  /// Whose attempts are counted together.
  var peer: Holder { http.holder }

  /// Bytes of the body.
  var bodyBytes: Int { http.body.count }

  /// What the browser calls itself: printable ASCII, clipped.
  var agent: String {
    let text = (http.header("user-agent") ?? "").utf8.filter { (0x20...0x7E).contains($0) }.prefix(Self.agentBytes)
    return String(decoding: text, as: UTF8.self)
  }

  /// The longest name of a browser that is kept, in bytes.
  static let agentBytes = 200

  /// Reads the body.
  func request() throws(ControlRequestError) -> ControlRequest {
    try ControlRequest(operation: operation, body: http.body)
  }

  /// The parameters, for calls that take no secrets. Nil when the body cannot be read.
  var parameters: JSONValue? { (try? request())?.parameters }
}
