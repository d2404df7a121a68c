import CommandLine
import JSON
import OwnerAPI
import TerminalUI

// What takes away for good is looked at first: the answer to `plan` says what would be left, and the person is asked.

/// Without a terminal nobody can be asked; a program that reads JSON is not asked either.
func checkSomebodyCanBeAsked(_ asked: OwnerRequest, _ invocation: Invocation) throws(CommandError) {
  guard asked.isPlannedFirst, !Terminal.isInput || invocation.has("json") else { return }
  throw CommandError(
    .usage, "'holdfast \(invocation.name)' cannot be taken back, and there is no terminal to ask on; nothing was done.",
    hint: "If it is what you want, say so: --yes")
}

/// Asks, having said what would be left.
/// - Returns: the request; with what the person accepted.
func confirmed(_ request: ControlRequest, _ invocation: Invocation, now: Int64) throws(CommandError) -> ControlRequest {
  func with(_ member: String) -> ControlRequest {
    let members = (request.parameters.members ?? []) + [.init(member, true)]
    return ControlRequest(request.operation, .object(members), secrets: request.secrets)
  }
  let plan = try perform(with("plan"), invocation)
  guard let question = RemovalText.question(request.operation, plan, now: now) else { return request }
  guard PlainInput.confirms(question) else { throw CommandError(.failed, "Nothing was done.") }
  return plan["loses"]?.string == nil ? request : with("accept_loss")
}
