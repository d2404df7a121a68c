import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast slot remove`
enum SlotRemoveCommand: PlannedCommand {
  typealias Operation = SlotRemove

  static let place = Command(
    "remove", "Remove a slot",
    discussion: """
      Needs the passphrase, a token or the recovery kit. Says what would be left to open the vault, and asks; without a terminal \
      it is refused unless you say --yes. Never removes the last slot, nor all but passkeys or the keyring. What lies in the \
      keyring is deleted, too; the key on a token only when the token's PIN is what you show.

      Where it is the only slot that opens some keys, those are named, and nothing is removed unless you accept that they are lost.
      """,
    arguments: [Argument("id", "The slot's number, as 'holdfast slot list' shows it")],
    options: [SharedOptions.yes, SharedOptions.acceptLoss],
    examples: [
      Example("holdfast slot remove 3", "asks for the passphrase, shows what would be left, and asks"),
      Example("holdfast slot remove 3 --yes --passphrase-file pass", "in a script"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotRemove.Request {
    var request = SlotRemove.Request()
    request.id = try SlotArguments.id(line) ?? 0
    request.isLossAccepted = line.has("accept-loss")
    return request
  }

  static func complete(_ request: inout SlotRemove.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func plan(_ request: SlotRemove.Request) -> SlotRemove.Request {
    var request = request
    request.isPlan = true
    return request
  }

  static func question(_ answer: SlotRemove.Response, _ now: Int64) -> String? {
    guard let plan = answer.plan else { return "Remove it for good?" }
    let slot = plan.slot
    let first = "Slot \(slot.id): \(SlotText.kind(slot.kind, slot.label)), \(SlotText.worked(slot, now))."
    return ([first] + plan.warnings.map { shown($0, limit: 1000) } + SlotText.loses(plan.loses) + ["Remove it for good?"])
      .joined(separator: "\n")
  }

  static func accepted(_ request: SlotRemove.Request, _ answer: SlotRemove.Response) -> SlotRemove.Request {
    var request = request
    if answer.plan?.loses != nil { request.isLossAccepted = true }
    return request
  }

  static func text(_ answer: SlotRemove.Response, _ reader: Reader) -> String {
    guard let done = answer.done else { return "" }
    let remark = done.remark.map { [printable($0)] } ?? []
    return
      (["Slot \(done.removed) opens nothing any more."] + SlotText.lost(done.lost) + remark
      + done.warnings.map { shown($0, limit: 1000) }).joined(separator: "\n")
  }
}
