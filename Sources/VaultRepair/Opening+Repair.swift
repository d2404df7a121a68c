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

/// Repairing and viewing a vault in which single records are damaged.
extension Opening {
  /// Makes a vault without the records that do not open. Needs the owner's credential. The damaged file is kept beside the new one.
  ///
  /// Somebody who can damage a record may have wanted to remove a rule, a limit or a revocation, or to put an older record in its place. So
  /// the repaired vault is treated like an older vault that the owner accepts: apps come back suspended, links are removed, everything is
  /// locked down until the owner resumes, and where nothing proves a setting any more, its strictest value holds.
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

  /// The records that a repair would lose. Nil when the vault is not damaged.
  package static func losses(home: Home, opener: any SlotOpener) throws -> [LostRecord]? {
    let salvage = try salvage(home, opener)
    defer { salvage.discard() }
    guard !salvage.damage.isNothing else { return nil }
    return try RepairedVault(salvage, home, now: Clock.seconds).losses
  }

  /// Opens the home of a damaged vault read-only, to show the records that are intact.
  package static func damagedView(home: Home, opener: any SlotOpener) throws -> OpenedHome {
    let salvage = try salvage(home, opener)
    var openLog: AuditLog?
    do {
      guard !salvage.damage.isNothing else { throw VaultRepairError.nothingDamaged }
      let mended = try RepairedVault(salvage, home, now: Clock.seconds)
      let (log, temporary) = try logForView(home, salvage.vault, isLost: mended.isLogLost)
      openLog = log
      log.followVault(false)
      nonisolated(unsafe) let held = salvage  // only touched once more, when the view is closed
      let view = DamagedVaultView(mended.report, isLogLost: temporary != nil) {
        held.discard()
        if let temporary { TemporaryHome.wipe(temporary) }
      }
      let opened = try OpenedHome(folder: home, vault: salvage.vault, log: log, damagedView: view)
      log.append(.opened(by: salvage.vault.openedBy)) { _ in }
      opened.sessionLock.noteCheck(isWhole: true, nil)
      return opened
    } catch {
      openLog?.close()
      salvage.discard()
      throw error
    }
  }

  /// The home's log. If it cannot be continued, an empty one in a temporary folder, which is wiped when the view is closed.
  private static func logForView(_ home: Home, _ vault: Vault, isLost: Bool) throws -> (AuditLog, Home?) {
    if !isLost, let log = try? log(home, vault, now: Clock.milliseconds) { return (log, nil) }
    guard let temporary = TemporaryHome.make(kinds: home.kinds) else {
      throw VaultRepairError.noTemporaryFolder
    }
    return (try log(temporary, vault, isNew: true, now: Clock.milliseconds), temporary)
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

  /// Moves the log aside, since nobody can continue a log without its keys. If the repair is interrupted before this, the next start says
  /// what to do: log renew.
  private static func putAside(_ home: Home) throws -> String? {
    let kept = "\(home.log)-\(Clock.milliseconds)"
    guard rename(home.log, kept) == 0 else {
      if errno == ENOENT { return nil }
      throw VaultRepairError.logNotPutAside
    }
    return kept
  }
}
