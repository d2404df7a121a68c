import Backups
import CommandLine
import LocalAccess
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast backup verify`
enum BackupVerifyCommand: BackupCommand {
  typealias Operation = BackupVerify

  static let place = Command(
    "verify", "Open a backup and show what is in it",
    discussion: """
      Opens every record it can, with the passphrase or with shares of a recovery kit, and changes nothing. Shows when the \
      backup was made, which keys it holds, and everything that opens it. It needs no vault. If the signer runs, it remembers \
      the date of this check, and without FILE and PLACE it takes the newest backup of your schedule. \
      \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [BackupArguments.from, SharedOptions.hidden] + BackupArguments.place,
    examples: [
      Example("holdfast backup verify keys.hfb", "does my passphrase open it?"),
      Example("holdfast backup verify keys.hfb --shares-file shares.txt", "do these shares open it?"),
      Example("holdfast backup verify --from https://me@cloud.example/dav/keys", "the newest backup on a WebDAV server"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupVerify.Request {
    var request = BackupVerify.Request()
    request.place = BackupPlaceRequest(line)
    let file = line.argument("file")
    if request.place.to == nil { request.file = file.map(absolute) } else { request.name = file }
    return request
  }

  /// Refuses a missing file, or a missing schedule, before the passphrase is asked for.
  static func check(_ line: Invocation) throws(CommandError) {
    guard BackupPlaceRequest(line).to == nil else { return }
    if let file = line.argument("file") { return try checkIsFile(file) }
    guard let result = try askDaemonWhole(BackupPlanShow.call(Nothing()), home(line)) else { return }
    if try BackupPlanShow.answer(result).plan == nil { throw CommandError(.noBackupPlan) }
  }

  static func complete(_ request: inout BackupVerify.Request, _ line: Invocation) throws(CommandError) {
    guard isNamed(request) || Opening.hasVault(home(line)) else { throw .noBackupNamed(line) }
    guard isForSigner(request, line) else { return }
    try request.place.readLoginUnlessPlanned(line)
    request.credential = try backupCredential(line)
  }

  static func perform(_ request: BackupVerify.Request, _ line: Invocation) throws(CommandError) -> ControlResult {
    let call = BackupVerify.call(request)
    // `complete` decided who looks into it, and read a credential for the signer. A signer may have started since.
    if !isNamed(request) || ShownCredential.isIn(call.parameters, secrets: call.secrets) {
      if let answer = try askPatiently(call, line, opening: backupInWords(line)) { return answer }
      return try performWhole(call, line, opening: backupInWords(line))
    }
    var place = request.place
    if place.to != nil { try place.readLogin(line) }
    let source = try ReadableBackup(line, at: place)
    let (backup, _) = try openBackup(source, line)
    return BackupVerify.result(try examine(backup, line))
  }

  static func text(_ answer: BackupVerify.Response, _ reader: Reader) -> String { BackupText.contents(answer) }

  private static func isNamed(_ request: BackupVerify.Request) -> Bool { request.file != nil || request.place.to != nil }

  /// Whether the signer looks into it: it knows its plan, and remembers that the backup opened. Else this process does.
  private static func isForSigner(_ request: BackupVerify.Request, _ line: Invocation) -> Bool {
    !isNamed(request) || ControlClient.isDaemonRunning(home: home(line).path)
  }

  private static func examine(_ backup: RestorableBackup, _ line: Invocation) throws(CommandError) -> BackupVerify.Response {
    var bar = ProgressBar("Checking", total: 100, now: Clock.monotonicMilliseconds)
    defer { bar.finish() }
    do throws(OperationError) {
      return try backup.examine(knowing: home(line).kinds) { done, of in
        bar.update(done: percent(done, of), now: Clock.monotonicMilliseconds)
        return true
      }
    } catch { throw CommandError(error) }
  }
}
