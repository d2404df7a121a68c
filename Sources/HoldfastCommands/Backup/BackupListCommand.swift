import CommandLine
import OwnerAPI
import OwnerOperations
import ResponseTexts
import Signer

/// `holdfast backup list`
enum BackupListCommand: BackupCommand {
  typealias Operation = BackupList

  static let place = Command(
    "list", "List the backups of the schedule or at a place",
    discussion: "With --from it needs no vault, so you can find your backups on a new machine. \(BackupArguments.placeMeaning)",
    options: [BackupArguments.from] + BackupArguments.place,
    examples: [
      Example("holdfast backup list", "the backups of the schedule"),
      Example("holdfast backup list --from /media/disk/backups", "the backups in a folder"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupPlaceRequest { BackupPlaceRequest(line) }

  static func complete(_ request: inout BackupPlaceRequest, _ line: Invocation) throws(CommandError) {
    if request.to != nil { try request.readLoginUnlessPlanned(line) }
  }

  static func perform(_ request: BackupPlaceRequest, _ line: Invocation) throws(CommandError) -> ControlResult {
    let call = BackupList.call(request)
    guard request.to != nil else { return try performWhole(call, line) }
    if let answer = try askDaemonWhole(call, home(line), timeout: backupPatience) { return answer }
    do throws(OperationError) { return BackupList.result(try Opening.listBackups(at: request)) } catch {
      throw CommandError(error)
    }
  }

  static func text(_ answer: BackupList.Response, _ reader: Reader) -> String { BackupText.backups(answer, reader) }
}
