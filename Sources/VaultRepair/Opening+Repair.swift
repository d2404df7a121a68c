internal import AuditLog
package import JSON
package import OwnerAPI
internal import Platform
internal import SecretMemory
package import Signer
internal import Vault

/// Going on with a vault of which single records are damaged.
extension Opening {
  /// Goes on without the records that do not open, by the owner's proof. The damaged file is kept beside the new one.
  ///
  /// Whoever can damage a record may have wanted a rule, a limit or a revocation gone, or put an older record in the place of one. So the
  /// vault is treated as an older one that is accepted: apps come back suspended, links are gone, all stays shut until the owner resumes;
  /// and what nothing proves any more is as strict as can be.
  /// - Parameter isPlan: only says what would be lost.
  package static func repairVault(home: Home, evidence: ShownCredential, isPlan: Bool) throws(OperationError) -> JSONValue {
    let salvage = try salvage(home, evidence)
    defer { salvage.discard() }
    guard !salvage.damage.isNothing else { throw .nothingDamaged }
    do {
      let mended = try RepairedVault(salvage, home, now: Clock.seconds)
      let members = [JSONValue.Member("ok", .bool(!isPlan)), .init("plan", .bool(isPlan))] + mended.members
      guard !isPlan else { return .object(members) }
      try mended.record(in: home)
      try Suspension(home).markOrThrow()
      let kept = try salvage.replace(now: Clock.milliseconds)
      let log = mended.isLogLost ? try putAside(home) : nil
      return .object(
        members + [.init("kept", .string(kept)), .init("log_kept", log.map { .string($0) } ?? .null)])
    } catch { throw OperationError(error) }
  }

  /// What is lost of a vault; nil where nothing is.
  static func losses(home: Home, evidence: ShownCredential) throws(OperationError) -> [LostRecord]? {
    let salvage = try salvage(home, evidence)
    defer { salvage.discard() }
    guard !salvage.damage.isNothing else { return nil }
    do { return try RepairedVault(salvage, home, now: Clock.seconds).losses } catch { throw OperationError(error) }
  }

  /// Opens the home; a damaged vault, where that goes, only to look at.
  static func coreOrDamagedView(home: Home, evidence: ShownCredential) throws(OperationError) -> Core {
    do { return try core(home: home, evidence: evidence) } catch {
      guard error.isDamage, evidence.type != .keyring else { throw error }
      do { return try look(home, evidence) } catch let other { throw other.isDamage ? other : error }
    }
  }

  private static func look(_ home: Home, _ evidence: ShownCredential) throws(OperationError) -> Core {
    let salvage = try salvage(home, evidence)
    var log: AuditLog?
    do {
      guard !salvage.damage.isNothing else { throw OperationError.nothingDamaged }
      let mended = try RepairedVault(salvage, home, now: Clock.seconds)
      let (opened, passing) = try logToLookWith(home, salvage.vault, isLost: mended.isLogLost)
      log = opened
      opened.followVault(false)
      nonisolated(unsafe) let held = salvage  // only touched once more, when the look is over
      let look = DamagedVaultView(
        sentence: mended.sentence, members: mended.members, losses: mended.losses.map(\.members), isLogLost: passing != nil
      ) {
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
      throw OperationError(error)
    }
  }

  /// The home's log; where it cannot be gone on with, one that goes when the look is over.
  private static func logToLookWith(_ home: Home, _ vault: Vault, isLost: Bool) throws -> (AuditLog, Home?) {
    if !isLost, let log = try? log(home, vault, now: Clock.milliseconds) { return (log, nil) }
    guard let passing = TemporaryHome.make(kinds: home.kinds) else {
      throw OperationError.failed("The folder for temporary files cannot be written.", hint: "Name another one: TMPDIR=FOLDER")
    }
    return (try log(passing, vault, isNew: true, now: Clock.milliseconds), passing)
  }

  private static func salvage(_ home: Home, _ evidence: ShownCredential) throws(OperationError) -> Salvage {
    guard evidence.type != .keyring else { throw .keyringIsNoProof }
    do throws(KeyStoreError) {
      return try Salvage(
        of: home.path, with: evidence.opener, known: LostRecord.knownIDs, now: Clock.milliseconds, sealer: DeviceChip.sealer,
        kinds: home.kinds)
    } catch {
      recordFailure(error, evidence.type, home)
      throw OperationError(error, by: evidence.opener)
    }
  }

  /// Nobody can go on with a log without its keys. Interrupted before this, the next start says what to do: log renew.
  private static func putAside(_ home: Home) throws -> String? {
    let kept = "\(home.log)-\(Clock.milliseconds)"
    guard rename(home.log, kept) == 0 else {
      if errno == ENOENT { return nil }
      throw OperationError.failed("The log's folder cannot be renamed.", hint: "Then: holdfast log renew")
    }
    return kept
  }
}

extension OperationError {
  static let nothingDamaged = OperationError(
    .failed, "Every record of the vault is as it was written; there is nothing to repair.", hint: "Start the signer: holdfast up")
}
