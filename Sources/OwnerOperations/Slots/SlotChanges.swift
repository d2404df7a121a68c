internal import AuditLog
internal import Ciphers
internal import JSON
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Vault

/// Changes of slots and class keys that make no new slot.
extension Operations {
  /// - Throws: `.noSuchOperation` for what is not among them.
  func changeOfSlots(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "slot/rename": return try renameSlot(given)
    case "slot/passphrase": return try changePassphrase(given)
    case "slot/rotate": return try rotateClassKeys(given)
    case "slot/enrol": return try enrolPasskeys(given)
    case "slot/bind": return try bindToThisDevice(given)
    default: throw OperationError.noSuchOperation
    }
  }

  private func renameSlot(_ given: Parameters) throws -> JSONValue {
    let id = try slotID(given)
    let label = try given.optionalText("label") ?? ""
    let failed = { (error: VaultError) -> OperationError in
      if case .nameNotAllowed = error { return .usage("A label has at most 64 bytes and no control characters.") }
      return OperationError(error)
    }
    try core.outbox.recording(.event(.settingChanged, rule: AuditRule(clipping: "the label of slot \(id)")), failed: failed) {
      () throws(VaultError) in try core.vault.renameSlot(id, to: label)
    }
    return ["slot": Self.describe(try slot(id))]
  }

  /// Puts a new passphrase in the place of the one that is shown. The old one opens nothing afterwards, but for older copies.
  private func changePassphrase(_ given: Parameters) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    guard let new = given.secret("new_passphrase") else {
      throw OperationError.usage(
        "The new passphrase is missing.", hint: "It is asked for on the terminal, or read from --new-passphrase-file FILE.")
    }
    guard let old = given.secret("passphrase") else { throw OperationError.usage("The passphrase there is now is missing.") }
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
    return ["slot": Self.describe(try slot(id))]
  }

  /// After a passkey or a finger came or went: what needs the present ones is given to those there are now.
  private func enrolPasskeys(_ given: Parameters) throws -> JSONValue {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let proof = try given.proof()
    let isDiscarding = given["discard"]?.bool == true
    let entry = AuditEntry.event(.classKeysRotated, rule: "passkeys enrolled anew")
    let done = try shownStep(proof, saying: entry) { () throws(KeyStoreError) in
      try core.vault.enrolAnew(by: proof, discarding: isDiscarding, now: Clock.milliseconds)
    }
    let gone = isDiscarding ? try takeAwayKeyless() : []
    return ["enrolled": Self.names(done.rotated), "closed": Self.names(done.kept), "lost": Self.names(of: gone)]
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

  static func names(_ classes: [ProtectionClass]) -> JSONValue { .array(classes.map { .string($0.name) }) }
}
