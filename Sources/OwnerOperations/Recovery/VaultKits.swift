import AuditLog
import Ciphers
import Mnemonics
package import OwnerAPI
import Platform
package import SecretMemory
package import Signer
import Vault

/// Kits that open the whole vault: their shares give the secret of a `recovery` slot.
extension Operations {
  /// Bytes: 20 words a share.
  private static let masterLength = 16

  func enrolKit(
    _ call: OperationCall, _ identifier: UInt16, _ label: String
  ) throws -> (RecoveryKit.Content, SecretBox) {
    let proof = try call.credential()
    // Counted and recorded as every attempt is, before the slot is made.
    try core.sessionLock.verify(proof)
    let master: SecretBox
    do { master = SecretBox(try SecretBytes(randomCount: Self.masterLength)) } catch { throw OperationError.notInMemory }
    let slot = try shownStep(proof, saying: .event(.slotAdded, rule: "recovery")) { () throws(KeyStoreError) in
      try core.vault.addSlot(
        .recovery(master: master, kit: RecoveryKit.recordID(identifier)), label: label, provenBy: proof,
        now: Clock.milliseconds)
    }
    return (.slot(slot), master)
  }

  func removeKitSlot(_ slot: UInt32) throws {
    do throws(VaultError) { try core.vault.removeSlot(slot, now: Clock.milliseconds) } catch {
      // Removed as a slot already: then only the note of the kit is left.
      guard case .noSuchSlot = error else { throw OperationError(error) }
    }
  }

  /// Shares that opened nothing are an attempt at the vault as any other proof is: the log has it, and the vault makes the next one wait.
  func noteWrongShares(_ error: KeyStoreError) { core.sessionLock.note(error, by: .recovery) }

  /// Shares that gave another key than they must: no attempt at the vault, which did not count it, so it has a code of its own.
  func noteWrongSharesOfKey() {
    core.log.append(
      AuditEntry(
        time: Clock.milliseconds, kind: .vaultOpenFailed, rule: AuditRule(clipping: SlotType.recovery.name),
        error: .wrongPassphrase,
        code: "identity-kit")
    ) { _ in }
  }

  func testSlot(_ secret: SecretBox, _ kit: RecoveryKit?) throws -> RestoredThing {
    do throws(KeyStoreError) {
      _ = try core.vault.testSlot(with: RecoveryOpener(master: secret, kit: kit?.recordID), now: Clock.milliseconds)
      return .vault
    } catch {
      noteWrongShares(error)
      switch error {
      case .authenticationFailed, .vault(.noSuchSlot): throw kit == nil ? OperationError.opensNothing : .otherSecret
      default: throw OperationError(error, by: .recovery)
      }
    }
  }

  private func failedShares(_ error: KeyStoreError) -> OperationError {
    noteWrongShares(error)
    switch error {
    case .authenticationFailed, .vault(.noSuchSlot): return .opensNothing
    default: return OperationError(error, by: .recovery)
    }
  }

  /// A slot for a new passphrase, shown the shares.
  private func add(_ passphrase: SecretBox, by opener: RecoveryOpener) throws(KeyStoreError) {
    let enrolment = try passphrase.withBytes { (bytes) throws(KeyStoreError) in
      let copy: SecretBytes
      do { copy = try SecretBytes(copying: bytes) } catch { throw KeyStoreError.vault(.outOfMemory) }
      return try SlotEnrolment.passphrase(copy, cost: Argon2Calibration.cost())
    }
    _ = try core.vault.addSlot(enrolment, label: "", provenBy: opener, now: Clock.milliseconds)
  }

  /// The passphrase is lost: the shares open the vault, a new one takes the old one's place.
  func restoreVault(_ request: RecoveryRestore.Request) throws -> RecoveryRestore.Response {
    guard !core.isTrial else { throw OperationError.trialHasNoPassphrase }
    let shares = try CombinedShares(request.shares, leavingOut: true)
    guard let wanted = request.newPassphrase else { throw OperationError.usage("The new passphrase is missing.") }
    let before = try core.vault.slots.filter { $0.type == .passphrase }
    try core.outbox.recording(
      .event(.passphraseChanged, rule: "recovery kit"), .event(.recoveryRestored), failed: { failedShares($0) }
    ) { () throws(KeyStoreError) in try add(wanted, by: RecoveryOpener(master: shares.secret)) }
    // The new one is there already: a crash here leaves both, never none.
    for slot in before { try core.vault.removeSlot(slot.id, now: Clock.milliseconds) }
    var response = RecoveryRestore.Response()
    (response.restored, response.kit) = ("vault", shares.numbers.kit)
    response.leftOut = shares.leftOut.map { Int64($0) }
    return response
  }
}

extension LocalSession {
  /// Opens the vault by the shares of a recovery kit.
  /// - Parameters:
  ///   - shares: one a line.
  ///   - code: the kit's recovery code; nil for a kit without one.
  package convenience init(home: Home, shares: SecretBox, code: SecretBox? = nil) throws(OperationError) {
    let combined = try OperationError.wrapping { try CombinedShares(shares, code: code, leavingOut: true) }
    let vault: Vault
    do throws(KeyStoreError) { vault = try Opening.vault(home, with: RecoveryOpener(master: combined.secret)) } catch {
      switch error {
      case .authenticationFailed, .vault(.noSuchSlot): throw OperationError.opensNothing
      default: throw OperationError(error, by: .recovery)
      }
    }
    self.init(core: try Opening.core(home: home, opened: vault))
  }
}
