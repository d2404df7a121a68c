import Backups
import CommandLine
import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import TerminalUI

// A backup that this process opens itself.

extension ReadableBackup {
  /// A file, or one that is fetched from a place.
  /// - Parameter place: with what signs in there; its address is nil for a file of this machine.
  convenience init(_ line: Invocation, at place: BackupPlaceRequest) throws(CommandError) {
    let file = line.argument("file")
    guard let address = place.to else {
      guard let file else { throw .noBackupNamed }
      guard access(file, R_OK) == 0 else {
        throw CommandError(
          .notFound, "The backup \(printable(file)) could not be read: \(systemMessage(errno)).",
          hint: "Check the file's name and its permissions.")
      }
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

/// What is shown to open a backup: from where the options say; a person without a passphrase is asked for shares.
func backupCredential(_ line: Invocation) throws(CommandError) -> Credential {
  if let file = line.value("shares-file") { return try shares([file], line) }
  return CredentialSource.isNamed(in: line) ? try credential(line) : try askedCredential(line)
}

private func askedCredential(_ line: Invocation) throws(CommandError) -> Credential {
  let source = try passphraseSource(line)
  var credential = Credential()
  do throws(SecretInputError) {
    if source == .terminal, Terminal.isInput {
      let question = "Passphrase (press Enter to use shares of a recovery kit instead): "
      credential.passphrase = SecretBox(try SilentPrompt().ask(question))
    } else {
      credential.passphrase = SecretBox(try source.read())
    }
    return credential
  } catch .empty where source == .terminal && Terminal.isInput {
    return try shares([], line)
  } catch { throw CommandError(error, what: "The passphrase") }
}

/// The shares and, if the kit has one, the recovery code.
private func shares(_ files: [String], _ line: Invocation) throws(CommandError) -> Credential {
  var credential = Credential()
  credential.shares = try readShares(
    files, isHidden: line.has("hidden"), hidesWords: line.has("json"), takesRivals: true
  ).lines
  credential.recoveryCode = try RecoveryCode.read(line, isAsked: areSharesTyped(line))
  return credential
}
