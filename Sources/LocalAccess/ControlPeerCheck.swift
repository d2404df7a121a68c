internal import JSON
internal import OwnerAPI
internal import SecretMemory

/// What the daemon checks before an operation: who asks, and for what.
struct ControlPeerCheck: Sendable {
  /// The only user id that is let in.
  let owner: UInt32

  /// What a caller gets who is turned away: the HTTP status, and why.
  struct Refusal: Error, Equatable {
    let status: Int
    let response: ControlResponse
    /// Whether it is for who asked, and not for what was asked.
    var isStranger = false
  }

  /// - Parameter uid: of the process at the other end as the kernel told it; nil when it is not a local one.
  /// - Parameter body: read, then wiped by the caller.
  func admit(method: String, path: String, body: [UInt8], uid: UInt32?) throws(Refusal) -> ControlRequest {
    guard uid == owner else {
      var refusal = Self.refusal(403, exit: 4, "This vault belongs to another user.")
      refusal.isStranger = true
      throw refusal
    }
    guard path.utf8.starts(with: Self.prefix.utf8) else {
      throw Self.refusal(404, exit: 1, "The daemon has nothing at this path.")
    }
    guard method == "POST" else { throw Self.refusal(405, exit: 1, "The daemon takes POST only.") }
    do {
      return try ControlRequest(operation: String(path.dropFirst(Self.prefix.count)), body: body)
    } catch {
      throw Self.refusal(400, exit: 2, "The daemon cannot read the request: \(error).")
    }
  }

  private static let prefix = "/v1/"

  private static func refusal(_ status: Int, exit: Int, _ error: String) -> Refusal {
    Refusal(status: status, response: .failure(exit: exit, error: error, hint: nil))
  }
}
