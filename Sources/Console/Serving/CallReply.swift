import JSON
import OwnerAPI
import SecretMemory
import Sockets

/// The reply to a call.
struct CallReply: Sendable {
  var status: Int
  var body: ControlResponse
  var headers: [HTTPHeader] = []
  /// What the page must provide first, for pages that can offer it.
  var wants: String?
  /// Whether the reply goes to the signed-in owner.
  var isForOwner = false

  /// The same reply, for the signed-in owner.
  var forOwner: CallReply {
    var reply = self
    reply.isForOwner = true
    return reply
  }

  init(_ status: Int, _ body: ControlResponse, headers: [HTTPHeader] = []) {
    (self.status, self.body, self.headers) = (status, body, headers)
  }

  /// The call succeeded.
  static func done(_ result: JSONValue = [:], headers: [HTTPHeader] = []) -> CallReply {
    CallReply(200, .success(ControlResult(result)), headers: headers)
  }

  static func refused(_ status: Int, exit: Int, _ error: String, hint: String? = nil) -> CallReply {
    CallReply(status, .failure(exit: exit, error: error, hint: hint))
  }

  /// The reply to a sign-in, with the result of the unlock that was requested with it.
  func saying(_ unlocking: ControlResponse) -> CallReply {
    guard case .success(let result) = body else { return self }
    var reply = self
    let more: [JSONValue.Member] =
      switch unlocking {
      case .success: [.init("unlocked", true)]
      case .failure(_, let error, _, _, _, _): [.init("unlocked", false), .init("why_locked", .string(error))]
      }
    reply.body = .success(ControlResult(.object((result.json.members ?? []) + more), secrets: result.secrets))
    return reply
  }

  /// Leaves the session cookie in the browser. If the owner signs in anew while an older call is under way, this reply to the older call
  /// may arrive last, and would remove the cookie of the new session.
  static let notSignedIn = refused(401, exit: 4, "You are not signed in.", hint: "Print a sign-in link with: holdfast console")
  static let wrongCSRF = refused(403, exit: 4, "This page does not belong to your sign-in.", hint: "Load the page again.")
  static let unknownOperation = refused(404, exit: 2, "The console has no such operation.")
  static let busy = refused(503, exit: 1, "The signer is busy.", hint: "Try again.")
  static let tooMany = refused(429, exit: 4, "Too many attempts to sign in.", hint: "Wait a minute, then try again.")
  static func malformed(_ why: String) -> CallReply { refused(400, exit: 2, "The request cannot be read: \(why).") }

  /// The body is not a valid call. A page made it, so all a person can do is reload that page.
  static func malformed(_ error: ControlRequestError) -> CallReply {
    let why =
      switch error {
      case .secretTooLong(let limit): "what was typed is longer than \(limit) bytes"
      case .outOfMemory: "there is no memory for it"
      default: "it is not written as this signer expects"
      }
    var reply = malformed(why)
    if case .failure(let exit, let error, _, _, _, _) = reply.body {
      reply.body = .failure(exit: exit, error: error, hint: "Load the page again.")
    }
    return reply
  }

  static let wantsProof: CallReply = {
    var reply = refused(
      403, exit: 4, "Your sign-in was too long ago for this.",
      hint: "Use your passkey or the passphrase, or sign in with a new link.")
    reply.wants = "proof"
    return reply
  }()

  /// - Parameter refusal: of the origin check. The reply reveals nothing about the signer.
  init(_ refusal: OriginCheck.Refusal) {
    switch refusal {
    case .notThisHost:
      self = .refused(
        421, exit: 4, "The signer does not accept this host name.",
        hint: "Use the address that 'holdfast console' prints, or start the signer with this name: --console-host")
    case .notProtected:
      self = .refused(
        403, exit: 4, "From another machine, the console needs TLS.",
        hint: "Start the signer with --tls-cert and --tls-key, or reach it through an SSH tunnel.")
    case .foreignOrigin: self = .refused(403, exit: 4, "This request does not come from a page of the console.")
    case .methodNotAllowed: self = .refused(405, exit: 2, "Calls are made by POST.")
    case .contentTypeUnknown:
      self = .refused(415, exit: 2, "A call's content type is application/json or application/octet-stream.")
    }
  }

  func response(isSecure: Bool) -> HTTPResponse {
    let fixed = [HTTPHeader("content-type", "application/json"), HTTPHeader("cache-control", "no-store")]
    var response = HTTPResponse(
      status: status, headers: fixed + headers + SecurityHeaders.all(isSecure: isSecure), body: bodyBytes)
    response.isForOwner = isForOwner
    return response
  }

  private var bodyBytes: HTTPBody {
    if case .success(let result) = body, !result.secrets.isEmpty {
      return (try? Self.filled(result)).map { .secret($0) } ?? .open(ControlResponse.notInMemory.json.serialized())
    }
    var members = body.json.members ?? []
    if let wants { members.append(.init("wants", .string(wants))) }
    return .open(JSONValue.object(members).serialized())
  }

  /// A browser gets secrets as JSON. Its pages cannot wipe a text either, and the browser's memory is not the daemon's.
  private static func filled(_ result: ControlResult) throws(SecretBytesError<Never>) -> SecretBox {
    var buffer = try SecretBuffer(capacity: firstRoom)
    try buffer.append("{\"ok\":true,\"result\":")
    try result.writeFilled(to: &buffer)
    try buffer.append("}")
    return try buffer.box()
  }

  private static let firstRoom = 4096
}
