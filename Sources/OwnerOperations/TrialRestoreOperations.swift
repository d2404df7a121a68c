import Backups
import Encodings
import OwnerAPI
import OwnerWords
import SecretMemory
import Signer

/// Restoring a backup from a trial's console, as a person does who comes to a new machine.
///
/// Only a trial does it: a signer that has a vault of its own would have to part with that.
extension Operations {
  static let trialRestoreHandlers: [OperationHandler] = [
    .init(TrialPlace.self) { operations, _, _ in try operations.showTrialPlace() },
    .init(TrialBackupCheck.self) { try $0.checkSentBackup($1, $2) },
    .init(TrialRestore.self) { try $0.restoreSentBackup($1, $2) },
  ]

  private func showTrialPlace() throws -> TrialPlace.Response {
    guard home.isTrial, let keeping = running?.keeping else { throw OperationError.noTrial }
    var response = TrialPlace.Response()
    response.home = keeping.own.path
    do throws(HomeMoving.Fault) { try HomeMoving.check(home.folder, to: keeping.own.path) } catch {
      response.fault = OperationError(error, keeping.own).error
    }
    return response
  }

  private func checkSentBackup(_ request: TrialBackupCheck.Request, _ call: OperationCall) throws -> BackupVerify.Response {
    _ = try ownHome()
    let proof = try restoringProof(request.credential)
    return try reading(request.upload, call, keeping: { _ in true }) { path in
      try RestorableBackup(ReadableBackup(sent: path, shown: Self.uploaded), proof).examine(knowing: home.folder.kinds)
    }
  }

  private func restoreSentBackup(_ request: TrialRestore.Request, _ call: OperationCall) throws -> TrialRestore.Response {
    let (keeping, own) = try ownHome()
    let proof = try restoringProof(request.credential)
    let passphrase = try passphraseAfterRestoring(request)
    let list = try request.revokedApps.map { text throws(OperationError) in
      guard let bytes = Base64URL.decode(text) else { throw OperationError.usage("“revoked_apps” is not base64url.") }
      return bytes
    }
    var response = TrialRestore.Response()
    response.restored = try reading(request.upload, call, keeping: { _ in false }) { path in
      let backup = try RestorableBackup(ReadableBackup(sent: path, shown: Self.uploaded), proof)
      var restored = BackupRestore.Response()
      try keeping.begin {
        restored = BackupRestore.Response(try becoming(own, backup, request.newPassphrase, list))
        // Its session ends with this signer. It was the owner's, so the browser may come back.
        let token = keeping.newSignInToken()
        (response.signIn, response.start) = (token, keeping.command(own))
        return TrialKeeping.Move(own, passphrase, signInToken: token, isRestored: true)
      }
      return restored
    }
    return response
  }

  private func becoming(
    _ own: Home, _ backup: RestorableBackup, _ newPassphrase: SecretBox?, _ list: [UInt8]?
  ) throws -> RestoredBackup {
    do { return try backup.restore(to: own, newPassphrase: newPassphrase, cost: nil, list: list) } catch is RevocationListMismatch
    {
      throw OperationError.notItsRevokedApps
    }
  }

  /// The owner's own home, which must be free.
  private func ownHome() throws -> (TrialKeeping, Home) {
    guard home.isTrial, let keeping = running?.keeping else { throw OperationError.restoresOnlyInTrial }
    let own = keeping.own
    do throws(HomeMoving.Fault) { try HomeMoving.check(home.folder, to: own.path) } catch {
      throw OperationError(error, own, another: OperationError.restoreElsewhere)
    }
    return (keeping, own)
  }

  /// A browser has no other credential that opens the restored vault at its first start.
  private func restoringProof(_ credential: Credential) throws -> BackupProof {
    let proof = try BackupProof(credential)
    if case .other = proof { throw OperationError.restoresByPassphraseOrShares }
    return proof
  }

  /// What opens the restored vault.
  private func passphraseAfterRestoring(_ request: TrialRestore.Request) throws -> SecretBox {
    if let new = request.newPassphrase, new.count > 0 { return new }
    guard request.credential.shares == nil, let passphrase = request.credential.passphrase else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "Shares open the backup, and the vault that it becomes gets a new passphrase.")
    }
    return passphrase
  }
}

extension OperationError {
  static let restoreElsewhere =
    "To restore into another folder, run on the signer's machine: holdfast backup restore FILE --into DIR"
  fileprivate static let restoresOnlyInTrial = OperationError(
    .failed, "This signer has a vault already, so nothing is restored here.",
    hint: "On a new machine, start a trial (holdfast up --trial) and restore in its console, or run: holdfast backup restore FILE"
  )
  fileprivate static let notItsRevokedApps = usage(
    "This is not the list of revoked apps that belongs to the backup.",
    hint: "It lies beside the backup, and its name ends in -revoked.hfr.")
  fileprivate static let restoresByPassphraseOrShares = usage(
    "In a browser, a backup is restored with its passphrase or with shares of a recovery kit.", hint: restoreElsewhere)
}
