import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast recovery remove`
enum RecoveryRemoveCommand: OwnerCommand {
  typealias Operation = RecoveryRemove

  static let place = Command(
    "remove", "End a kit: its shares no longer open the vault",
    discussion: """
      Asks for the passphrase, a token or the kit itself. A kit of one identity is only forgotten here: anybody with enough of \
      its shares still has the key.
      """,
    arguments: [Argument("id", "The kit's number, as 'holdfast recovery list' shows it", completion: .names("kits"))],
    options: [SharedOptions.yes])

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

  static func question(_ line: Invocation) -> String? { "End the kit '\(shown(line.needed("id")))'?" }

  static func complete(_ request: inout RecoveryRemove.Request, _ line: Invocation) throws(CommandError) {
    request.credential = try credential(line)
  }

  static func text(_ answer: RecoveryRemove.Response, _ reader: Reader) -> String {
    answer.stillRestores
      ? "Kit \(shown(answer.removed)) is forgotten here. Its shares still give the key: destroy them."
      : "Kit \(shown(answer.removed)) no longer opens this vault. You can destroy its shares."
  }
}
