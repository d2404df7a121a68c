import JSON
import OwnerAPI
import SecretMemory

/// The daemon's check before an operation: which user calls, and what is requested.
struct ControlPeerCheck: Sendable {
  /// The only user id that is admitted.
  let owner: UInt32

  /// The response to a refused caller: the HTTP status, and the reason.
  struct Refusal: Error, Equatable {
    let status: Int
    let response: ControlResponse
    /// Whether the caller was refused, and not the request.
    var isStranger = false
  }

  /// - Parameter uid: of the process at the other end, as the kernel reported it. Nil when it is not a local process.
  /// - Parameter body: read here, then wiped by the caller.
  func admit(method: String, path: String, body: [UInt8], uid: UInt32?) throws(Refusal) -> ControlRequest {
    guard uid == owner else {
      var refusal = Self.refusal(403, exit: 4, "This vault belongs to another user.")
      refusal.isStranger = true
      throw refusal
    }
    guard path.utf8.starts(with: Self.prefix.utf8) else {
      throw Self.refusal(404, exit: 1, "The signer has nothing at this path.")
    }
    guard method == "POST" else { throw Self.refusal(405, exit: 1, "The signer accepts only POST.") }
    do {
      return try ControlRequest(operation: String(path.dropFirst(Self.prefix.count)), body: body)
    } catch {
      throw Self.refusal(400, exit: 2, "The signer cannot read the request: \(error).")
    }
  }

  private static let prefix = "/v1/"

  private static func refusal(_ status: Int, exit: Int, _ error: String) -> Refusal {
    Refusal(status: status, response: .failure(exit: exit, error: error, hint: nil))
  }
}
