import AuditLog
import Ciphers
package import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
package import Signer
import Vault

/// Keeping a trial.
extension Operations {
  static let trialHandlers: [OperationHandler] = [
    .init(TrialKeep.self) { operations, request, call in try operations.keepTrial(request, call) }
  ]

  private func keepTrial(_ request: TrialKeep.Request, _ call: OperationCall) throws -> TrialKeep.Response {
    guard home.isTrial, let keeping = running?.keeping else { throw OperationError.noTrial }
    // A page could otherwise have folders made anywhere.
    guard call.channel == .command || request.home == nil else { throw OperationError.homeFromAfar }
    guard let passphrase = request.newPassphrase, passphrase.count > 0 else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "Give it on the terminal or with --new-passphrase-file FILE.")
    }
    let kept = request.home.map { Home($0, kinds: home.folder.kinds) } ?? keeping.own
    // Its session ends with this signer. It was the owner's, so the browser may come back.
    let token = call.channel == .console ? keeping.newSignInToken() : nil
    try keeping.begin {
      do throws(HomeMoving.Fault) { try HomeMoving.check(home.folder, to: kept.path) } catch { throw OperationError(error, kept) }
      try useOwnPassphrase(passphrase)
      return TrialKeeping.Move(kept, passphrase, signInToken: token)
    }
    var response = TrialKeep.Response()
    (response.home, response.start) = (kept.path, keeping.command(kept))
    response.signIn = token
    return response
  }

  /// Replaces the random passphrase of the trial. From then on the trial's folder is a vault that the owner can open, whatever happens.
  private func useOwnPassphrase(_ passphrase: SecretBox) throws {
    guard let random = home.sessionLock.trialPassphrase.withLock({ $0 }) else { throw OperationError.trialIsShut }
    let shown = PassphraseOpener(random)
    let entry = AuditEntry.event(.passphraseChanged, rule: "the trial is kept")
    try home.outbox.recording(entry, failed: { OperationError($0) }) { () throws(KeyStoreError) in
      let enrolment: SlotEnrolment
      do { enrolment = try .passphrase(passphrase.duplicate(), cost: Argon2Calibration.cost()) } catch let error as KeyStoreError
      {
        throw error
      } catch { throw KeyStoreError.vault(.outOfMemory) }
      try home.vault.changePassphrase(shown: shown, to: enrolment, now: Clock.milliseconds)
    }
    home.sessionLock.trialPassphrase.change { if $0 != nil { $0 = passphrase } }
  }
}

extension OperationError {
  package static let noTrial = OperationError(.failed, "This signer is no trial: its vault is kept already.", hint: nil)
  static let keepsAlready = OperationError(
    .failed, "The trial is being kept already.", hint: "Wait until the signer has restarted.")
  static let homeFromAfar = usage(
    "A browser cannot choose the folder.", hint: "On the signer's machine, run: holdfast keep --to DIR")
  package static let trialIsShut = OperationError(
    .failed, "This trial is locked down, and nobody knows its passphrase, so it cannot go on or be kept.",
    hint: "Stop it with Ctrl-C, and start another: holdfast up --trial")

  /// Why a trial could not be moved to a home, or a backup not be restored there.
  /// - Parameter another: how to name another folder.
  package init(
    _ fault: HomeMoving.Fault, _ home: Home, another: String = "Name another folder: holdfast keep --to DIR"
  ) {
    self =
      switch fault {
      case .notAbsolute: .usage("The new vault's folder must be an absolute path.", hint: another)
      case .tooLong(let limit): .usage("The path of the new vault's folder is longer than \(limit) bytes.", hint: another)
      case .insideHome: .usage("The new vault's folder lies inside the trial's folder, which is wiped.", hint: another)
      case .hasVault: OperationError(.failed, "There is already a vault at \(home.path). Nothing was changed.", hint: another)
      case .notEmpty:
        OperationError(.failed, "\(home.path) is not an empty folder. Nothing was changed.", hint: another)
      case .wayTaken(let way):
        OperationError(
          .failed, "\(way) has files that Holdfast did not make. Nothing was changed.",
          hint: "Move it away, then try again.")
      case .inUse: OperationError(.failed, "Another process has the trial's vault open.", hint: "Try again: holdfast keep")
      case .noRoom(let free, let needed):
        OperationError(
          .failed, "The disk of \(home.path) has \(free >> 10) KiB left; the vault needs \(needed >> 10) KiB.", hint: another)
      case .failed(let code):
        OperationError(
          .failed, "The vault's files cannot be written to \(home.path): \(String(cString: strerror(code))).", hint: another)
      }
  }
}
