internal import AuditLog
public import Ciphers
internal import Curve
internal import JSON
public import OwnerAPI
internal import Platform
public import SecretMemory
internal import Unlocking
internal import Vault

/// Making and opening a home, for the command and the daemon alike.
public enum Opening {
  /// Makes a vault.
  /// - Parameter cost: what the passphrase function shall cost; nil measures this machine for about 0.7 s.
  /// - Returns: the names of files of the folder that were device secrets, and are kept under these names.
  @discardableResult
  public static func initialize(
    home: Home, passphrase: borrowing SecretBytes, cost: Argon2id.Cost?
  ) throws(OperationError) -> [String] {
    let before = Vault.keptDeviceKeys(home: home.path)
    let vault: Vault
    do {
      vault = try Vault.create(
        home: home.path, passphrase: passphrase, cost: cost ?? Argon2Calibration.cost(), sealer: DeviceChip.sealer)
    } catch {
      throw OperationError(error)
    }
    defer { vault.close() }
    // The log begins now: an attempt with a wrong passphrase is recorded before any was right.
    let log = try log(home, vault, now: Clock.milliseconds)
    log.followVault()
    defer { log.close() }
    // Known from the beginning: a log that is removed is missed, and not made anew.
    if let anchor = log.anchor() { LogRecords.save(anchor, in: vault) }
    return Vault.keptDeviceKeys(home: home.path).filter { !before.contains($0) }
  }

  /// Sees to it that the next start is suspended, where no daemon runs. Needs no key.
  /// - Throws: when the folder cannot be written.
  public static func suspend(home: Home) throws(OperationError) {
    guard hasVault(home) else { throw OperationError(VaultError.noVault) }
    do { try Suspension(home).markOrThrow() } catch { throw OperationError(error) }
  }

  /// Whether a vault lies there.
  public static func hasVault(_ home: Home) -> Bool { Vault.exists(home: home.path) }

  /// Opens the vault and everything in it. An attempt with a wrong passphrase is recorded, too.
  static func core(home: Home, evidence: Evidence) throws(OperationError) -> Core {
    try core(home: home, vault: vault(home, evidence))
  }

  static func vault(_ home: Home, _ evidence: Evidence) throws(OperationError) -> Vault {
    do { return try vault(home, with: evidence.opener) } catch { throw OperationError(error, by: evidence.opener) }
  }

  /// Opens the vault by itself. An attempt that failed is recorded.
  static func vault(_ home: Home, with opener: some SlotOpener) throws(KeyStoreError) -> Vault {
    do {
      return try Vault.open(
        home: home.path, with: opener, now: Clock.milliseconds, log: home.logObserver, sealer: DeviceChip.sealer)
    } catch {
      recordFailure(error, opener.type, home)
      throw error
    }
  }

  static func core(home: Home, vault: Vault, isTrial: Bool = false) throws(OperationError) -> Core {
    var log: AuditLog?
    do {
      let opened = try Self.log(home, vault, now: Clock.milliseconds)
      log = opened
      if isTrial { opened.followVault() }  // nobody puts an older one in its place
      let tried = isTrial ? nil : try checkIsLatest(vault, opened, home)
      Rehearsal.removeLeftovers(of: home)
      let core = try Core(home: home, vault: vault, log: opened, isTrial: isTrial)
      opened.append(.opened(by: vault.openedBy)) { _ in }
      core.gate.noteLook(isWhole: !vault.isLocked, tried)
      return core
    } catch {
      log?.close()
      vault.close()
      throw OperationError(error)
    }
  }

  static func recordFailure(_ error: KeyStoreError, _ type: SlotType, _ home: Home) {
    guard let entry = AuditEntry.openFailed(error, type) else { return }
    guard let log = try? AuditLog.open(recordingIn: home.log, now: Clock.milliseconds) else { return }
    _ = try? log.appendAndWait(entry)
    log.close()
  }
}

/// A home that the command itself has opened, because no daemon runs.
public final class LocalSession: Sendable {
  private let core: Core
  private let operations: Operations

  /// Opens the vault.
  public init(home: Home, evidence: Evidence) throws(OperationError) {
    PersonAtTheDesk.passed.remember()  // one command, then the process ends
    core = try Opening.coreOrLook(home: home, evidence: evidence)
    operations = Operations(core: core, running: nil)
  }

  /// Takes over what was opened in another way.
  init(core: Core) {
    self.core = core
    operations = Operations(core: core, running: nil)
  }

  /// As `Operations.perform`.
  public func perform(_ request: ControlRequest) throws(OperationError) -> ControlResult {
    let result = try operations.perform(request, via: .command)
    if ["client/revoke", "identity/delete", "slot/remove"].contains(request.operation) { core.backups.sendRevocationsIfDue() }
    return result
  }

  /// Writes what is left to write and lets go of the vault.
  public func close() { core.close() }
}
