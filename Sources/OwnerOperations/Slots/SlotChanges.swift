import AuditLog
import Ciphers
import Identities
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Vault

/// Changes of slots and class keys that add no slot.
extension Operations {
  func renameSlot(_ request: SlotRename.Request) throws -> SlotAnswer {
    let id = try Self.slotID(request.id)
    let label = request.label ?? ""
    let failed = { (error: VaultError) -> OperationError in
      if case .nameNotAllowed = error { return .usage("A label has at most 64 bytes and no control characters.") }
      return OperationError(error)
    }
    try home.outbox.recording(.event(.settingChanged, rule: AuditRule(clipping: "the label of slot \(id)")), failed: failed) {
      () throws(VaultError) in try home.vault.renameSlot(id, to: label)
    }
    return SlotAnswer(try slot(id))
  }

  /// Replaces the shown passphrase by a new one. Afterwards the old one opens only older copies of the vault.
  func changePassphrase(_ request: SlotPassphraseChange.Request) throws -> SlotAnswer {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let new = request.newPassphrase else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "Give it on the terminal or with --new-passphrase-file FILE.")
    }
    guard let old = request.passphrase else { throw OperationError.usage("The present passphrase is missing.") }
    let shown = PassphraseOpener(old)
    let id = try shownStep(shown, saying: .event(.passphraseChanged)) { () throws(KeyStoreError) in
      // Checked first, because making the new one takes a while.
      try home.vault.verify(with: shown, now: Clock.milliseconds)
      let cost = Argon2Calibration.cost()
      let enrolment: SlotEnrolment
      do { enrolment = try .passphrase(new.duplicate(), cost: cost) } catch let error as KeyStoreError { throw error } catch {
        throw KeyStoreError.vault(.outOfMemory)
      }
      return try home.vault.changePassphrase(shown: shown, to: enrolment, now: Clock.milliseconds)
    }
    return SlotAnswer(try slot(id))
  }

  /// After passkeys or fingers changed: gives the keys of the biometric classes to the present ones.
  func enrolPasskeys(_ request: SlotEnrol.Request, _ call: OperationCall) throws -> SlotEnrol.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    let proof = try call.proof()
    let entry = AuditEntry.event(.classKeysRotated, rule: "passkeys enrolled anew")
    let done = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      try home.vault.enrolAnew(by: proof, discarding: request.isDiscarding, now: Clock.milliseconds)
    }
    var response = SlotEnrol.Response()
    (response.enrolled, response.closed) = (done.rotated.map(KeyProtection.init), done.kept.map(KeyProtection.init))
    response.lost = request.isDiscarding ? try takeAwayKeyless().map(\.name) : []
    return response
  }

  /// Runs a step that shows a credential and changes the vault, with its log entry. A wrong credential is recorded instead.
  func shownStep<Result>(
    _ opener: some SlotOpener, saying entry: AuditEntry, _ body: () throws(KeyStoreError) -> Result
  ) throws -> Result {
    try home.outbox.recording(entry, failed: { home.sessionLock.failed($0, by: opener) }, body: body)
  }

  /// Runs a step that shows a credential. A wrong one is recorded.
  func shownStep<Result>(
    _ opener: some SlotOpener, _ body: () throws(KeyStoreError) -> Result
  ) throws -> Result {
    do { return try body() } catch { throw home.sessionLock.failed(error, by: opener) }
  }
}
