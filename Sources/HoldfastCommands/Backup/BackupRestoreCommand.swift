import Backups
import Ciphers
import CommandLine
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast backup restore`
enum BackupRestoreCommand: BackupCommand {
  typealias Operation = BackupRestore

  static let place = Command(
    "restore", "Restore a backup into a new home",
    discussion: """
      Use it on a new machine or after a loss. The home must not exist yet, and an interrupted restore leaves nothing behind. \
      Links, waiting requests, browser sessions and the console's passkeys are not restored.

      A sealed list of the apps that you revoked lies next to the backups. Those apps are not restored; all others come back \
      paused. Resume each with 'holdfast client resume'. If a newer backup lies next to this one, the command asks first; \
      scripts pass --older. If you open the backup with shares of a recovery kit, it asks for a new passphrase, which replaces \
      the old one. If you have shares instead of a passphrase, press Enter at the first question. \
      \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [
      BackupArguments.from, .flag("older", "Restore this backup although a newer one lies next to it"),
      SharedOptions.recoveryCode,
      SharedOptions.hidden,
      .value("into", "DIR", "The new home (default: --home, or the usual one)", completion: .folder),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value("kdf-memory", "MIB", "Memory that one guess at the new passphrase costs, in MiB, 19 to 4096 (default: calibrated)"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup restore keys.hfb", "on a new machine, with the passphrase"),
      Example("holdfast backup restore keys.hfb --shares-file shares.txt", "with enough shares, such as three of five"),
      Example("holdfast backup restore keys.hfb --shares-file one.txt --shares-file two.txt", "with shares from several files"),
      Example("holdfast backup restore --from /media/disk/backups", "the newest backup in a folder"),
      Example(
        "holdfast backup restore --from s3://bucket/keys --endpoint https://s3.example --credentials-file s3.txt",
        "the newest backup in a bucket"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> BackupRestore.Request {
    var request = BackupRestore.Request()
    request.place = BackupPlaceRequest(line)
    let file = line.argument("file")
    if request.place.to == nil { request.file = file.map(absolute) } else { request.name = file }
    request.isOlderAccepted = line.has("older")
    request.memoryMiB = try line.integer(
      "kdf-memory", in: Int64(Argon2id.Cost.floor.memory >> 20)...Int64(Argon2id.Cost.ceiling.memory >> 20))
    return request
  }

  // The backup is found before anything is asked: no passphrase is typed for a file that is not there.
  static func perform(_ asked: BackupRestore.Request, _ line: Invocation) throws(CommandError) -> ControlResult {
    let target = line.value("into").map { Home($0, kinds: .holdfast) } ?? home(line)
    if Opening.hasVault(target) {
      throw CommandError(
        .failed, "There is already a vault at \(printable(target.path)). It was not changed.",
        hint: "Name another folder with --into DIR.")
    }
    var request = asked
    if request.place.to != nil { try request.place.readLogin(line) }
    let source = try ReadableBackup(line, at: request.place)
    let (backup, shown) = try openBackup(source, line)
    request.credential = shown
    if !request.isOlderAccepted { try askAboutNewer(backup, line) }
    if request.credential.shares != nil || line.value("new-passphrase-file") != nil {
      request.newPassphrase = try newPassphrase(line)
    }
    return BackupRestore.result(try restore(backup, request, to: target))
  }

  static func text(_ answer: BackupRestore.Response, _ reader: Reader) -> String { BackupText.restored(answer) }

  /// Asks before an older backup is restored although there is a newer one, unless an option allows it.
  private static func askAboutNewer(_ backup: RestorableBackup, _ line: Invocation) throws(CommandError) {
    let (made, found): (Int64, RestorableBackup.Newer?)
    do { (made, found) = (try backup.made(), try backup.newer()) } catch { throw CommandError(OperationError(error)) }
    guard let found else { return }
    let text = BackupText.newerBackup(made: made, newer: found.made, name: found.name)
    guard Terminal.isInput, !line.has("json") else {
      throw CommandError(.failed, text, hint: "Use the newer one, or restore this one with --older.")
    }
    if !PlainInput.confirms(text + " Restore the older one?") { throw CommandError(.failed, "Nothing was done.") }
  }

  private static func restore(
    _ backup: RestorableBackup, _ request: BackupRestore.Request, to home: Home
  ) throws(CommandError) -> BackupRestore.Response {
    let cost = request.memoryMiB.flatMap { try? Argon2id.Cost(memory: Int($0) << 20, passes: Argon2id.Cost.floor.passes) }
    var bar = ProgressBar("Restoring", total: 100, now: Clock.monotonicMilliseconds)
    defer { bar.finish() }
    do {
      let restored = try backup.restore(to: home, newPassphrase: request.newPassphrase, cost: cost) { done, of in
        bar.update(done: percent(done, of), now: Clock.monotonicMilliseconds)
        return true
      }
      return BackupRestore.Response(restored)
    } catch { throw CommandError(OperationError(error)) }
  }
}
