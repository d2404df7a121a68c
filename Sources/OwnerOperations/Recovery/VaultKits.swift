import AuditLog
import Ciphers
import Mnemonics
package import OwnerAPI
import OwnerWords
import Platform
package import SecretMemory
package import Signer
import Vault

/// Kits that open the whole vault: their shares give the secret of a `recovery` slot.
extension Operations {
  /// In bytes. It makes shares of 20 words.
  private static let masterLength = 16

  func enrolKit(
    _ call: OperationCall, _ identifier: UInt16, _ label: String
  ) throws -> (RecoveryKit.Content, SecretBox) {
    let proof = try call.credential()
    // Counted and recorded like every attempt, before the slot is made.
    try home.sessionLock.verify(proof)
    let master: SecretBox
    do { master = SecretBox(try SecretBytes(randomCount: Self.masterLength)) } catch { throw OperationError.notInMemory }
    let slot = try shownStep(proof, saying: .event(.slotAdded, rule: "recovery")) { () throws(KeyStoreError) in
      try home.vault.addSlot(
        .recovery(master: master, kit: RecoveryKit.recordID(identifier)), label: label, provenBy: proof,
        now: Clock.milliseconds)
    }
    return (.slot(slot), master)
  }

  func removeKitSlot(_ slot: UInt32) throws {
    do throws(VaultError) { try home.vault.removeSlot(slot, now: Clock.milliseconds) } catch {
      // The slot was removed before, so only the stored kit is left.
      guard case .noSuchSlot = error else { throw OperationError(error) }
    }
  }

  /// Shares that opened nothing count as an attempt at the vault, like any other credential: the log records it, and the next
  /// attempt waits.
  func noteWrongShares(_ error: KeyStoreError) { home.sessionLock.note(error, by: .recovery) }

  /// Shares that gave another key than they should. The vault did not count an attempt, so this has its own code in the log.
  func noteWrongSharesOfKey() {
    home.log.append(
      AuditEntry(
        time: Clock.milliseconds, kind: .vaultOpenFailed, rule: AuditRule(clipping: SlotType.recovery.name),
        error: .wrongPassphrase,
        code: "identity-kit")
    ) { _ in }
  }

  func testSlot(_ secret: SecretBox, _ kit: RecoveryKit?) throws -> RestoredThing {
    do throws(KeyStoreError) {
      _ = try home.vault.testSlot(with: RecoveryOpener(master: secret, kit: kit?.recordID), now: Clock.milliseconds)
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

  /// Adds a slot for a new passphrase, proven by the shares.
  private func add(_ passphrase: SecretBox, by opener: RecoveryOpener) throws(KeyStoreError) {
    let enrolment = try passphrase.withBytes { (bytes) throws(KeyStoreError) in
      let copy: SecretBytes
      do { copy = try SecretBytes(copying: bytes) } catch { throw KeyStoreError.vault(.outOfMemory) }
      return try SlotEnrolment.passphrase(copy, cost: Argon2Calibration.cost())
    }
    _ = try home.vault.addSlot(enrolment, label: "", provenBy: opener, now: Clock.milliseconds)
  }

  /// Replaces a lost passphrase: the shares open the vault, and a new passphrase replaces the old ones.
  func restoreVault(_ request: RecoveryRestore.Request) throws -> RecoveryRestore.Response {
    guard !home.isTrial else { throw OperationError.trialHasNoPassphrase }
    let shares = try CombinedShares(request.shares, leavingOut: true)
    guard let wanted = request.newPassphrase else { throw OperationError.usage("The new passphrase is missing.") }
    let before = try home.vault.slots.filter { $0.type == .passphrase }
    try home.outbox.recording(
      .event(.passphraseChanged, rule: "recovery kit"), .event(.recoveryRestored), failed: { failedShares($0) }
    ) { () throws(KeyStoreError) in try add(wanted, by: RecoveryOpener(master: shares.secret)) }
    // The new one was added first: a crash here leaves both, never none.
    for slot in before { try home.vault.removeSlot(slot.id, now: Clock.milliseconds) }
    var response = RecoveryRestore.Response()
    (response.restored, response.kit) = ("vault", shares.numbers.kit)
    response.leftOut = shares.leftOut.map { Int64($0) }
    return response
  }
}

extension LocalSession {
  /// Opens the vault with the shares of a recovery kit.
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
    self.init(try Opening.open(home: home, opened: vault))
  }
}
