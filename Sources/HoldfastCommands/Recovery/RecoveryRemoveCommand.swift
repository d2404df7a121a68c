import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast recovery remove`
enum RecoveryRemoveCommand: PlannedCommand {
  typealias Operation = RecoveryRemove

  static let place = Command(
    "remove", "End a kit: its shares no longer open the vault",
    discussion: """
      Says what still opens the vault, asks for confirmation, and then for the passphrase, a token or the kit itself. If no \
      signer runs, the vault is opened first. A kit of one identity is only forgotten here: anybody with enough of its shares still has the key.
      """,
    arguments: [Argument("id", "The kit's number, as 'holdfast recovery list' shows it", completion: .names("kits"))],
    options: [SharedOptions.yesFinally])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RecoveryRemove.Request {
    var request = RecoveryRemove.Request()
    request.id = line.needed("id")
    return request
  }

  static func check(_ line: Invocation) throws(CommandError) {
    guard let result = try askDaemonWhole(RecoveryList.call(Nothing()), home(line)) else { return }
    guard try RecoveryList.answer(result).kits.contains(where: { $0.id == line.needed("id") }) else {
      throw CommandError(
        .notFound, "There is no kit “\(foreign(line.needed("id"), limit: 64))”.", hint: "See: holdfast recovery list")
    }
  }

  static func complete(_ request: inout RecoveryRemove.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func plan(_ request: RecoveryRemove.Request) -> RecoveryRemove.Request {
    var request = request
    request.isPlan = true
    return request
  }

  static func question(_ answer: RecoveryRemove.Response, _ now: Int64) -> String? {
    let kit = "kit \(shown(answer.removed))"
    guard !answer.stillRestores else {
      return "The shares of \(kit) still give the key afterwards; only this vault forgets the kit.\nForget it for good?"
    }
    let first = "The shares of \(kit), also on paper, will open nothing of this vault any more."
    return ([first] + answer.warnings.map { ours($0, limit: 1000) } + ["End it for good?"]).joined(separator: "\n")
  }

  static func text(_ answer: RecoveryRemove.Response, _ reader: Reader) -> String {
    guard !answer.stillRestores else {
      return "Kit \(shown(answer.removed)) is forgotten here. Its shares still give the key: destroy them."
    }
    let ended = "Kit \(shown(answer.removed)) no longer opens this vault. You can destroy its shares."
    return ([ended] + answer.warnings.map { ours($0, limit: 1000) }).joined(separator: "\n")
  }
}
