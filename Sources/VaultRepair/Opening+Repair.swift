import AuditLog
import Platform
package import Signer
package import Vault

/// What a repair did, or would do.
package struct VaultRepairOutcome {
  package let report: DamageReport
  /// Where the damaged vault is kept, and the log if a new one begins; nil for a plan.
  package let kept: (vault: String, log: String?)?
}

/// Going on with a vault of which single records are damaged.
extension Opening {
  /// Goes on without the records that do not open, by the owner's proof. The damaged file is kept beside the new one.
  ///
  /// Whoever can damage a record may have wanted a rule, a limit or a revocation gone, or put an older record in the place of one. So the
  /// vault is treated as an older one that is accepted: apps come back suspended, links are gone, all stays shut until the owner resumes;
  /// and what nothing proves any more is as strict as can be.
  /// - Parameter isPlan: only says what would be lost.
  package static func repairVault(home: Home, opener: any SlotOpener, isPlan: Bool) throws -> VaultRepairOutcome {
    let salvage = try salvage(home, opener)
    defer { salvage.discard() }
    guard !salvage.damage.isNothing else { throw VaultRepairError.nothingDamaged }
    let mended = try RepairedVault(salvage, home, now: Clock.seconds)
    guard !isPlan else { return VaultRepairOutcome(report: mended.report, kept: nil) }
    try mended.record(in: home)
    try Suspension(home).markOrThrow()
    let kept = try salvage.replace(now: Clock.milliseconds)
    let log = mended.isLogLost ? try putAside(home) : nil
    return VaultRepairOutcome(report: mended.report, kept: (kept, log))
  }

  /// What is lost of a vault; nil where nothing is.
  package static func losses(home: Home, opener: any SlotOpener) throws -> [LostRecord]? {
    let salvage = try salvage(home, opener)
    defer { salvage.discard() }
    guard !salvage.damage.isNothing else { return nil }
    return try RepairedVault(salvage, home, now: Clock.seconds).losses
  }

  /// Opens the home of a damaged vault only to look at what is whole.
  package static func damagedView(home: Home, opener: any SlotOpener) throws -> Core {
    let salvage = try salvage(home, opener)
    var log: AuditLog?
    do {
      guard !salvage.damage.isNothing else { throw VaultRepairError.nothingDamaged }
      let mended = try RepairedVault(salvage, home, now: Clock.seconds)
      let (opened, passing) = try logToLookWith(home, salvage.vault, isLost: mended.isLogLost)
      log = opened
      opened.followVault(false)
      nonisolated(unsafe) let held = salvage  // only touched once more, when the look is over
      let look = DamagedVaultView(mended.report, isLogLost: passing != nil) {
        held.discard()
        if let passing { TemporaryHome.wipe(passing) }
      }
      let core = try Core(home: home, vault: salvage.vault, log: opened, damagedView: look)
      opened.append(.opened(by: salvage.vault.openedBy)) { _ in }
      core.sessionLock.noteLook(isWhole: true, nil)
      return core
    } catch {
      log?.close()
      salvage.discard()
      throw error
    }
  }

  /// The home's log; where it cannot be gone on with, one that goes when the look is over.
  private static func logToLookWith(_ home: Home, _ vault: Vault, isLost: Bool) throws -> (AuditLog, Home?) {
    if !isLost, let log = try? log(home, vault, now: Clock.milliseconds) { return (log, nil) }
    guard let passing = TemporaryHome.make(kinds: home.kinds) else {
      throw VaultRepairError.noTemporaryFolder
    }
    return (try log(passing, vault, isNew: true, now: Clock.milliseconds), passing)
  }

  private static func salvage(_ home: Home, _ opener: any SlotOpener) throws -> Salvage {
    guard opener.type != .keyring else { throw SignerError.keyringIsNoProof }
    do throws(KeyStoreError) {
      return try Salvage(
        of: home.path, with: opener, known: LostRecord.knownIDs, now: Clock.milliseconds, sealer: DeviceChip.sealer,
        kinds: home.kinds)
    } catch {
      recordFailure(error, opener.type, home)
      throw SignerError.notOpened(OpeningError(error, by: opener))
    }
  }

  /// Nobody can go on with a log without its keys. Interrupted before this, the next start says what to do: log renew.
  private static func putAside(_ home: Home) throws -> String? {
    let kept = "\(home.log)-\(Clock.milliseconds)"
    guard rename(home.log, kept) == 0 else {
      if errno == ENOENT { return nil }
      throw VaultRepairError.logNotPutAside
    }
    return kept
  }
}
