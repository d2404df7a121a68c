import AuditLog
import Ciphers
import Identities
import OwnerAPI
import Platform
import SecretMemory
import Signer
import Vault

/// Changes of slots and class keys that make no new slot.
extension Operations {
  func renameSlot(_ request: SlotRename.Request) throws -> SlotAnswer {
    let id = try Self.slotID(request.id)
    let label = request.label ?? ""
    let failed = { (error: VaultError) -> OperationError in
      if case .nameNotAllowed = error { return .usage("A label has at most 64 bytes and no control characters.") }
      return OperationError(error)
    }
    try core.outbox.recording(.event(.settingChanged, rule: AuditRule(clipping: "the label of slot \(id)")), failed: failed) {
      () throws(VaultError) in try core.vault.renameSlot(id, to: label)
    }
    return SlotAnswer(try slot(id))
  }

  /// Puts a new passphrase in the place of the one that is shown. The old one opens nothing afterwards, but for older copies.
  func changePassphrase(_ request: SlotPassphraseChange.Request) throws -> SlotAnswer {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let new = request.newPassphrase else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "It is asked for on the terminal, or read from --new-passphrase-file FILE.")
    }
    guard let old = request.passphrase else { throw OperationError.usage("The passphrase there is now is missing.") }
    let shown = PassphraseOpener(old)
    let id = try shownStep(shown, saying: .event(.passphraseChanged)) { () throws(KeyStoreError) in
      // Tried first: making the new one takes a while.
      try core.vault.verify(with: shown, now: Clock.milliseconds)
      let cost = Argon2Calibration.cost()
      let enrolment: SlotEnrolment
      do { enrolment = try .passphrase(new.duplicate(), cost: cost) } catch let error as KeyStoreError { throw error } catch {
        throw KeyStoreError.vault(.outOfMemory)
      }
      return try core.vault.changePassphrase(shown: shown, to: enrolment, now: Clock.milliseconds)
    }
    return SlotAnswer(try slot(id))
  }

  /// After a passkey or a finger came or went: what needs the present ones is given to those there are now.
  func enrolPasskeys(_ request: SlotEnrol.Request, _ call: OperationCall) throws -> SlotEnrol.Response {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let proof = try call.proof()
    let entry = AuditEntry.event(.classKeysRotated, rule: "passkeys enrolled anew")
    let done = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      try core.vault.enrolAnew(by: proof, discarding: request.isDiscarding, now: Clock.milliseconds)
    }
    var response = SlotEnrol.Response()
    (response.enrolled, response.closed) = (done.rotated.map(KeyProtection.init), done.kept.map(KeyProtection.init))
    response.lost = request.isDiscarding ? try takeAwayKeyless().map(\.name) : []
    return response
  }

  /// Runs what shows a slot and changes the vault, with its entry in the log; a wrong secret is recorded instead.
  func shownStep<Result>(
    _ opener: some SlotOpener, saying entry: AuditEntry, _ body: () throws(KeyStoreError) -> Result
  ) throws -> Result {
    try core.outbox.recording(entry, failed: { core.sessionLock.failed($0, by: opener) }, body: body)
  }

  /// Runs what shows a slot; a wrong secret is recorded.
  func shownStep<Result>(
    _ opener: some SlotOpener, _ body: () throws(KeyStoreError) -> Result
  ) throws -> Result {
    do { return try body() } catch { throw core.sessionLock.failed(error, by: opener) }
  }
}
