import Backups
import CommandLine
import CredentialOptions
import Encodings
import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import SecretMemory
import Signer
import TerminalUI
import Vault

// A backup that this process opens itself.

extension ReadableBackup {
  /// A file, or one that is fetched from a place.
  /// - Parameter place: with what signs in there; its address is nil for a file of this machine.
  convenience init(_ line: Invocation, at place: BackupPlaceRequest) throws(CommandError) {
    let file = line.argument("file")
    guard let address = place.to else {
      guard let file else { throw .noBackupNamed(line) }
      try checkIsFile(file)
      self.init(file: absolute(file))
      return
    }
    let bar = Fetching(address.contains("://"))
    defer { bar.finish() }
    do throws(OperationError) {
      try self.init(from: place, name: file, spooledIn: Terminal.environment("TMPDIR") ?? "/var/tmp") { done, of in
        bar.update(done, of)
      }
    } catch { throw CommandError(error) }
  }
}

extension RestorableBackup {
  convenience init(_ source: ReadableBackup, shown credential: Credential) throws(CommandError) {
    let proof: BackupProof
    do throws(OperationError) { proof = try BackupProof(credential) } catch { throw CommandError(error) }
    do { try self.init(source, proof) } catch { throw CommandError(OperationError(error)) }
  }
}

/// Shows the progress of a transfer, which is reported on this thread.
private final class Fetching: @unchecked Sendable {  // Sendable: used by one thread, inside one call
  private var bar: ProgressBar?

  init(_ isShown: Bool) { bar = isShown ? ProgressBar("Fetching", total: 100, now: Clock.monotonicMilliseconds) : nil }

  func update(_ done: UInt64, _ of: UInt64) { bar?.update(done: percent(min(done, of), of), now: Clock.monotonicMilliseconds) }
  func finish() { bar?.finish() }
}

func percent(_ done: UInt64, _ of: UInt64) -> Int { of == 0 ? 100 : Int(clamping: done * 100 / of) }

// MARK: the credential

/// Opens a backup with what the person shows. Shares that were typed stay: if they need a recovery code, only that is asked for.
func openBackup(
  _ source: ReadableBackup, _ line: Invocation
) throws(CommandError) -> (backup: RestorableBackup, shown: Credential) {
  try checkBeginning(source.path)
  return try askingAgain(line) { (_: Bool) throws(CommandError) in
    var shown = try backupCredential(line, asksForCode: false)
    do throws(CommandError) { return (try RestorableBackup(source, shown: shown), shown) } catch {
      guard error.tryAgainIn != nil, shown.shares != nil, shown.recoveryCode == nil, areSharesTyped(line),
        takesShares(source.path)
      else { throw error }
      Output.warning("These shares alone do not open this backup.")
      guard let code = try RecoveryCode.askIfAny("Recovery code (press Enter if the kit has none): ") else {
        throw .sharesOfAnotherKit
      }
      shown.recoveryCode = code
    }
    do throws(CommandError) { return (try RestorableBackup(source, shown: shown), shown) } catch {
      throw error.tryAgainIn == nil ? error : .sharesOfAnotherKit
    }
  }
}

/// What is shown to open a backup: from where the options say; a person without a passphrase is asked for shares.
/// - Parameter asksForCode: whether the recovery code of a kit that may have one is asked for at once.
func backupCredential(_ line: Invocation, asksForCode: Bool = true) throws(CommandError) -> Credential {
  if line.has("shares-file") { return try shares(line.values("shares-file"), line, asksForCode) }
  return CredentialSource.isNamed(in: line) ? try namedCredential(line) : try askedCredential(line, asksForCode)
}

private func askedCredential(_ line: Invocation, _ asksForCode: Bool) throws(CommandError) -> Credential {
  let source = try passphraseSource(line)
  var credential = Credential()
  do throws(SecretInputError) {
    if source == .terminal, Terminal.isInput {
      let question = "Passphrase for \(backupInWords(line)) (press Enter to use a kit): "
      credential.passphrase = SecretBox(try SilentPrompt().ask(question))
    } else {
      credential.passphrase = SecretBox(try source.read())
    }
    return credential
  } catch .empty where source == .terminal && Terminal.isInput {
    return try shares([], line, asksForCode)
  } catch { throw CommandError(error, what: "The passphrase", option: "passphrase-file", opens: true) }
}

/// “the backup keys.hfb”, for a question.
func backupInWords(_ line: Invocation) -> String {
  line.argument("file").map { "the backup \(printable($0, limit: 300))" } ?? "the newest backup"
}

/// The shares and, if the kit has one, the recovery code.
private func shares(_ files: [String], _ line: Invocation, _ asksForCode: Bool) throws(CommandError) -> Credential {
  var credential = Credential()
  let read = try readShares(files, isHidden: line.has("hidden"), hidesWords: line.has("json"), takesRivals: true)
  credential.shares = read.lines
  let isAsked = asksForCode && areSharesTyped(line) && hasCode(read.kit, line) ?? true
  credential.recoveryCode = try RecoveryCode.read(line, isAsked: isAsked)
  return credential
}

/// Whether the backup was made when the vault had a recovery kit. No recovery code opens another one by shares.
private func takesShares(_ path: String) -> Bool {
  (try? BackupFile(path: path))?.slots.contains { $0.type == .recovery } ?? true
}

/// Checks that a backup on this machine can be read, before anything is asked for it.
func checkIsFile(_ file: String) throws(CommandError) {
  guard !isFolder(file) else { throw .folderForBackup(file) }
  try checkReadable(file)
  do throws(CommandError) { try checkBeginning(file) } catch {
    throw CommandError(error.exit, "\(printable(file, limit: 300)): \(error.error)", hint: error.hint)
  }
}

/// Reads the beginning of a backup, which needs no secret.
private func checkBeginning(_ path: String) throws(CommandError) {
  do { _ = try BackupFile(path: path) } catch { throw CommandError(OperationError(error)) }
}

extension CommandError {
  fileprivate static func folderForBackup(_ path: String) -> CommandError {
    CommandError(
      .usage, "\(printable(path)) is a folder, not a backup.",
      hint: "For the newest backup in it: --from \(ShellWord.plainOrQuoted(path))")
  }

  fileprivate static let sharesOfAnotherKit = CommandError(
    .locked, "These shares do not open this backup.",
    hint: "They belong to another kit, or the recovery code is another one. Nothing was changed.")
}
