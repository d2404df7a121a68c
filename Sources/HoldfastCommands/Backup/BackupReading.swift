import Backups
import Ciphers
import CommandLine
import Daemon
import JSON
import LocalAccess
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import TerminalUI

/// `holdfast backup list`
func listBackups(_ invocation: Invocation) throws(CommandError) -> JSONValue {
  let members = JSONValue.object(try usage { () throws(UsageError) in try BackupRequest.members(invocation, absolute: absolute) })
  guard invocation.has("from") else {
    return try performWhole(ControlRequest(BackupList.properties.name, members), invocation).json
  }
  let secrets = try credentialsUnlessPlanned(invocation)
  let request = ControlRequest(BackupList.properties.name, members, secrets: secrets)
  if let answer = try askDaemonWhole(request, home(invocation), timeout: backupPatience) { return answer.json }
  let place = try lookedAt(request)
  do throws(OperationError) { return BackupList.result(try Opening.listBackups(at: place)).json } catch {
    throw CommandError(error)
  }
}

/// The place where an operation searches for backups.
private func lookedAt(_ request: ControlRequest) throws(CommandError) -> BackupPlaceRequest {
  do throws(FieldError) { return try BackupList.request(from: request) } catch {
    throw CommandError(.usage, "The place for backups could not be read.")
  }
}

/// `holdfast backup verify`
func verifyBackup(_ invocation: Invocation) throws(CommandError) -> JSONValue {
  let members = try usage { () throws(UsageError) in try BackupRequest.members(invocation, absolute: absolute) }
  let (isNamed, home) = (invocation.has("from") || invocation.argument("file") != nil, home(invocation))
  guard isNamed || Opening.hasVault(home) else { throw .noBackupNamed }
  if isDaemonRunning(home) || !isNamed {
    let login = try credentialsUnlessPlanned(invocation)
    let shown = try BackupOpener(invocation)
    let request = ControlRequest(
      BackupVerify.properties.name, .object(members + shown.members), secrets: login.merging(shown.secrets) { $1 })
    if let answer = try askDaemonWhole(request, home, timeout: backupPatience) { return answer.json }
    return try performWhole(request, invocation).json
  }
  let source = try source(invocation)
  let backup = try open(source, BackupOpener(invocation))
  var bar = ProgressBar("Checking", total: 100, now: Clock.monotonicMilliseconds)
  defer { bar.finish() }
  do throws(OperationError) {
    let found = try backup.examine(knowing: home.kinds) { done, of in
      bar.update(done: percent(done, of), now: Clock.monotonicMilliseconds)
      return true
    }
    return BackupVerify.result(found).json
  } catch { throw CommandError(error) }
}

/// `holdfast backup restore`
func restoreBackup(_ invocation: Invocation) throws(CommandError) -> JSONValue {
  let target = invocation.value("into").map { Home($0, kinds: .holdfast) } ?? home(invocation)
  let mebibytes = try usage { () throws(UsageError) in
    try invocation.integer("kdf-memory", in: Int64(Argon2id.Cost.floor.memory >> 20)...Int64(Argon2id.Cost.ceiling.memory >> 20))
  }
  if Opening.hasVault(target) {
    throw CommandError(
      .failed, "There is already a vault at \(printable(target.path)). It was not changed.",
      hint: "Name another folder with --into DIR.")
  }
  let source = try source(invocation)
  let opener = try BackupOpener(invocation)
  let backup = try open(source, opener)
  try askAboutNewer(backup, invocation)
  let isNew = opener.isByShares || invocation.value("new-passphrase-file") != nil
  let new = isNew ? try newPassphrase(invocation) : nil
  let cost = mebibytes.flatMap { try? Argon2id.Cost(memory: Int($0) << 20, passes: Argon2id.Cost.floor.passes) }
  var bar = ProgressBar("Restoring", total: 100, now: Clock.monotonicMilliseconds)
  defer { bar.finish() }
  do {
    return try backup.restore(to: target, newPassphrase: new, cost: cost) { done, of in
      bar.update(done: percent(done, of), now: Clock.monotonicMilliseconds)
      return true
    }
  } catch { throw CommandError(OperationError(error)) }
}

// MARK: choosing a backup

/// A local file, or one that is fetched.
private func source(_ invocation: Invocation) throws(CommandError) -> ReadableBackup {
  let file = invocation.argument("file")
  guard let place = invocation.value("from") else {
    guard let file else { throw .noBackupNamed }
    guard access(file, R_OK) == 0 else {
      throw CommandError(
        .notFound, "The backup \(printable(file)) could not be read: \(systemMessage(errno)).",
        hint: "Check the file's name and its permissions.")
    }
    return ReadableBackup(file: absolute(file))
  }
  var members = try usage { () throws(UsageError) in try BackupRequest.members(invocation, absolute: absolute) }
  members.removeAll { $0.key == "name" }
  let wanted = try lookedAt(ControlRequest("backup/list", .object(members), secrets: try credentials(invocation)))
  let bar = Fetching(place.contains("://"))
  defer { bar.finish() }
  do throws(OperationError) {
    return try ReadableBackup(
      from: wanted, name: file, spooledIn: Terminal.environment("TMPDIR") ?? "/var/tmp"
    ) { done, of in bar.update(done, of) }
  } catch { throw CommandError(error) }
}

/// Shows the progress of a transfer, which is reported on this thread.
private final class Fetching: @unchecked Sendable {  // used by one thread, inside one call
  private var bar: ProgressBar?

  init(_ isShown: Bool) { bar = isShown ? ProgressBar("Fetching", total: 100, now: Clock.monotonicMilliseconds) : nil }

  func update(_ done: UInt64, _ of: UInt64) { bar?.update(done: percent(min(done, of), of), now: Clock.monotonicMilliseconds) }
  func finish() { bar?.finish() }
}

/// No credential is needed for the plan's place, because the daemon has that.
private func credentialsUnlessPlanned(_ invocation: Invocation) throws(CommandError) -> [String: SecretBox] {
  if invocation.value("credentials-file") == nil, let from = invocation.value("from"),
    let plan = try askDaemonWhole(BackupPlanShow.call(Nothing()), home(invocation)),
    try BackupPlanShow.answer(plan).plan?.to == from
  {
    return [:]
  }
  return try credentials(invocation)
}

private func isDaemonRunning(_ home: Home) -> Bool { ControlClient.isDaemonRunning(home: home.path) }

/// Asks before an older backup is restored although there is a newer one, unless an option allows it.
private func askAboutNewer(_ backup: RestorableBackup, _ invocation: Invocation) throws(CommandError) {
  guard !invocation.has("older") else { return }
  let (made, found): (Int64, RestorableBackup.Newer?)
  do { (made, found) = (try backup.made(), try backup.newer()) } catch { throw CommandError(OperationError(error)) }
  guard let found else { return }
  let text = BackupText.newerBackup(made: made, newer: found.made, name: found.name)
  guard Terminal.isInput, !invocation.has("json") else {
    throw CommandError(.failed, text, hint: "Use the newer one, or restore this one with --older.")
  }
  if !PlainInput.confirms(text + " Restore the older one?") { throw CommandError(.failed, "Nothing was done.") }
}

// MARK: the credential

/// The credential that opens a backup.
private struct BackupOpener {
  let members: [JSONValue.Member]
  let secrets: [String: SecretBox]

  /// Reads it from where the options say. A person without a passphrase is asked for shares.
  init(_ invocation: Invocation) throws(CommandError) {
    if let file = invocation.value("shares-file") {
      (members, secrets) = ([], try Self.shares([file], invocation))
    } else if CredentialSource.isNamed(in: invocation) {
      let shown = (try credential(invocation)).members
      (members, secrets) = (shown.parameters.members ?? [], shown.secrets)
    } else {
      (members, secrets) = ([], try Self.asked(invocation))
    }
  }

  private static func asked(_ invocation: Invocation) throws(CommandError) -> [String: SecretBox] {
    let source = try passphraseSource(invocation)
    do throws(SecretInputError) {
      guard source == .terminal, Terminal.isInput else { return ["passphrase": SecretBox(try source.read())] }
      let question = "Passphrase (press Enter to use shares of a recovery kit instead): "
      return ["passphrase": SecretBox(try SilentPrompt().ask(question))]
    } catch .empty where source == .terminal && Terminal.isInput {
      return try shares([], invocation)
    } catch { throw CommandError(error, what: "The passphrase") }
  }

  /// The shares and, if the kit has one, the recovery code.
  private static func shares(_ files: [String], _ invocation: Invocation) throws(CommandError) -> [String: SecretBox] {
    var found = [
      "shares": try readShares(
        files, isHidden: invocation.has("hidden"), hidesWords: invocation.has("json"), takesRivals: true)
    ]
    found["recovery_code"] = try RecoveryCode.read(invocation, isTyped: areSharesTyped(invocation))
    return found
  }

  var isByShares: Bool { secrets["shares"] != nil }

  func proof() throws(CommandError) -> BackupProof {
    do throws(OperationError) {
      if let shares = secrets["shares"] { return try .shares(shares, code: secrets["recovery_code"]) }
      if let passphrase = secrets["passphrase"] { return .passphrase(passphrase) }
      return .other(try ShownCredential(.object(members), secrets: secrets).opener)
    } catch { throw CommandError(error) }
  }
}

private func open(_ source: ReadableBackup, _ opener: BackupOpener) throws(CommandError) -> RestorableBackup {
  let proof = try opener.proof()
  do { return try RestorableBackup(source, proof) } catch { throw CommandError(OperationError(error)) }
}

// MARK: helpers

private func percent(_ done: UInt64, _ of: UInt64) -> Int { of == 0 ? 100 : Int(clamping: done * 100 / of) }

extension CommandError {
  fileprivate static let noBackupNamed = CommandError(
    .usage, "The backup is missing: name its FILE, or its place with --from PLACE.", hint: "See: holdfast help backup restore")
}
