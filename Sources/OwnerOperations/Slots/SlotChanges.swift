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

  /// Sets the passphrase anew: the shown one, or with another proof the only one there is. Afterwards the old one opens only older copies of
  /// the vault.
  func changePassphrase(_ request: SlotPassphraseChange.Request, _ call: OperationCall) throws -> SlotAnswer {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let new = request.newPassphrase else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "Give it on the terminal or with --new-passphrase-file FILE.")
    }
    let proof = try call.proof()
    let only = proof.type == .passphrase ? nil : try onlyPassphrase()
    let entry = AuditEntry.event(
      .passphraseChanged, rule: proof.type == .passphrase ? nil : AuditRule(clipping: proof.type.name))
    let id = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      // Checked first, because making the new one takes a while.
      try home.vault.verify(with: proof, now: Clock.milliseconds)
      let cost = Argon2Calibration.cost()
      let enrolment: SlotEnrolment
      do { enrolment = try .passphrase(new.duplicate(), cost: cost) } catch let error as KeyStoreError { throw error } catch {
        throw KeyStoreError.vault(.outOfMemory)
      }
      guard let only else { return try home.vault.replaceSlot(shown: proof, with: enrolment, now: Clock.milliseconds) }
      return try home.vault.replacePassphrase(only, provenBy: proof, with: enrolment, now: Clock.milliseconds)
    }
    return SlotAnswer(try slot(id))
  }

  /// The passphrase slot that another proof replaces.
  /// - Throws: if there is none or more than one: nobody has said which of them is forgotten.
  private func onlyPassphrase() throws -> UInt32 {
    let found = try home.vault.slots.filter { $0.type == .passphrase }
    guard let only = found.first else {
      throw OperationError(
        .notFound, "No passphrase opens this vault, so there is none to change.", hint: "To add one: holdfast slot add passphrase"
      )
    }
    guard found.count == 1 else {
      throw OperationError.failed(
        "Several passphrases open this vault.",
        hint: "Add the new one, then remove the forgotten one: holdfast slot add passphrase, holdfast slot remove SLOT")
    }
    return only.id
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
