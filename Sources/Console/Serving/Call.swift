import JSON
import OwnerAPI
import Sockets

/// One API call that has passed the origin check.
struct Call: Sendable {
  /// `noun/verb` or a verb, not validated yet.
  let operation: String
  let origin: ConsoleOrigin
  let cookie: SessionCookie
  private let http: HTTPRequest

  init(_ http: HTTPRequest, _ origin: ConsoleOrigin) {
    (self.http, self.origin) = (http, origin)
    cookie = SessionCookie(origin: origin)
    operation = String(http.path.dropFirst(Console.callPrefix.utf8.count))
  }

  /// The session token in its cookie.
  var token: String? { cookie.token(in: http) }

  /// The ticket in its address.
  var linkTicket: String? { http.query(Console.ticket) }

  var csrf: String? { http.header(Console.csrfHeader) }

  /// The holder whose attempts are counted together.
  var peer: Holder { http.holder }

  /// Whether a process of the signer's own user on this machine makes it.
  var isOfOwnersProcess: Bool { http.isOfOwnersProcess(at: origin) }

  /// The length of the body in bytes.
  var bodyBytes: Int { http.body.count }

  /// The browser's user agent: printable ASCII, shortened.
  var agent: String {
    let text = (http.header("user-agent") ?? "").utf8.filter { (0x20...0x7E).contains($0) }.prefix(Self.agentBytes)
    return String(decoding: text, as: UTF8.self)
  }

  /// The longest user agent that is stored, in bytes.
  static let agentBytes = 200

  /// Reads the body.
  func request() throws(ControlRequestError) -> ControlRequest {
    try ControlRequest(operation: operation, body: http.body)
  }

  /// The parameters, for calls that accept no secrets. Nil when the body cannot be read.
  var parameters: JSONValue? { (try? request())?.parameters }
}
