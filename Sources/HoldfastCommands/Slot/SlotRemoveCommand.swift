import CommandLine
import OwnerAPI
import OwnerOperations
import OwnerWords
import ResponseTexts
import TerminalUI
import Vault

/// `holdfast slot remove`
enum SlotRemoveCommand: PlannedCommand {
  typealias Operation = SlotRemove

  static let place = Command(
    "remove", "Remove a way to open the vault",
    discussion: """
      Says what else still opens the vault, asks for confirmation, and then for the passphrase, a token or the recovery kit. If \
      no signer runs, the vault is opened first. Without a terminal, it needs --yes. It never removes the last slot, and never leaves only passkeys or only the keyring. \
      The entry in the keyring is deleted too. The key on a token is deleted only if you give that token's PIN.

      If keys are open only to this slot, the command names them and removes nothing unless you accept their loss.
      """,
    arguments: [Argument("id", "The slot's number or label, as 'holdfast slot list' shows them", completion: .names("slots"))],
    options: [SharedOptions.yesFinally, SharedOptions.acceptLoss],
    examples: [
      Example("holdfast slot remove 3", "shows what still opens the vault, asks, and then asks for the passphrase"),
      Example("holdfast slot remove 3 --yes --passphrase-file pass", "the same in a script"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> SlotRemove.Request {
    var request = SlotRemove.Request()
    request.id = try SlotArguments.id(line) ?? 0
    request.isLossAccepted = line.has("accept-loss")
    return request
  }

  static func check(_ line: Invocation) throws(CommandError) { try SlotArguments.checkExists(line) }

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
    let shares =
      slot.kind == .recovery ? ["The shares of this kit, also on paper, will open nothing of this vault any more."] : []
    let left = plan.left.map { "  " + SlotText.left($0, now) }
    let ways = left.isEmpty ? ["Nothing else opens the vault."] : ["What still opens the vault afterwards:"] + left
    return
      ([first] + ways + shares + plan.warnings.map { ours($0, limit: 1000) } + SlotText.loses(plan.loses) + [
        "Remove it for good?"
      ])
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
      (["Slot \(done.removed) is removed."] + SlotText.lost(done.lost) + remark
      + done.warnings.map { ours($0, limit: 1000) }).joined(separator: "\n")
  }
}
