import AuditLog
package import Ciphers
import JSON
import Platform
package import SecretMemory
import Unlocking
package import Vault

/// Makes and opens a home, for commands and for the daemon.
package enum Opening {
  /// Makes a vault.
  /// - Parameter cost: the cost of the passphrase function. Nil measures this machine for about 0.7 s.
  /// - Returns: the names of files in the folder that were device secrets; they are kept under these names.
  @discardableResult
  package static func initialize(
    home: Home, passphrase: borrowing SecretBytes, cost: Argon2id.Cost?
  ) throws(SignerError) -> [String] {
    let before = Vault.keptDeviceKeys(home: home.path)
    let vault: Vault
    do {
      vault = try Vault.create(
        home: home.path, passphrase: passphrase, cost: cost ?? Argon2Calibration.cost(), sealer: DeviceChip.sealer,
        kinds: home.kinds)
    } catch {
      throw SignerError(error)
    }
    defer { vault.close() }
    // The log begins now, so that a wrong passphrase is recorded even before a correct one was given.
    let log = try log(home, vault, now: Clock.milliseconds)
    log.followVault()
    defer { log.close() }
    // Known from the beginning: if the log is removed, it is missed and not made again.
    if let anchor = log.anchor() { LogRecords.save(anchor, in: vault) }
    return Vault.keptDeviceKeys(home: home.path).filter { !before.contains($0) }
  }

  /// Makes the next start suspended, when no daemon runs. Needs no key.
  /// - Throws: when the folder cannot be written.
  package static func suspend(home: Home) throws(SignerError) {
    guard hasVault(home) else { throw SignerError(VaultError.noVault) }
    do { try Suspension(home).markOrThrow() } catch { throw SignerError(error) }
  }

  /// Whether the next start is locked down. Needs no key; the vault may say so, too.
  package static func isNextStartShut(_ home: Home) -> Bool { Suspension(home).isMarked }

  /// Whether the home has a vault.
  package static func hasVault(_ home: Home) -> Bool { Vault.exists(home: home.path) }

  /// Opens the vault and everything in it. An attempt with a wrong passphrase is recorded, too.
  package static func open(home: Home, opener: any SlotOpener) throws(SignerError) -> OpenedHome {
    try open(home: home, vault: vault(home, opener))
  }

  package static func vault(_ home: Home, _ opener: any SlotOpener) throws(SignerError) -> Vault {
    do { return try vault(home, with: opener) } catch { throw .notOpened(OpeningError(error, by: opener)) }
  }

  /// Opens only the vault. A failed attempt is recorded.
  package static func vault(_ home: Home, with opener: some SlotOpener) throws(KeyStoreError) -> Vault {
    do {
      return try onceFree(within: home.patience) { () throws(KeyStoreError) in
        try Vault.open(
          home: home.path, with: opener, now: Clock.milliseconds, log: home.logObserver, sealer: DeviceChip.sealer,
          kinds: home.kinds)
      }
    } catch {
      recordFailure(error, opener.type, home)
      throw error
    }
  }

  /// Tries again while another program has the vault open, as often as a wake does: so a row of wakes, which open it for a moment each, lets
  /// this one in before long.
  private static func onceFree(
    within milliseconds: Int64, _ open: () throws(KeyStoreError) -> Vault
  ) throws(KeyStoreError) -> Vault {
    let end = Clock.monotonicMilliseconds + milliseconds
    while true {
      do throws(KeyStoreError) { return try open() } catch {
        guard case .vault(.inUse) = error, Clock.monotonicMilliseconds < end else { throw error }
        usleep(Self.pause)
      }
    }
  }

  /// In microseconds.
  private static let pause: UInt32 = 2_000

  package static func open(home: Home, vault: Vault, isTrial: Bool = false) throws(SignerError) -> OpenedHome {
    var openLog: AuditLog?
    do {
      let log = try Self.log(home, vault, now: Clock.milliseconds)
      openLog = log
      if isTrial { log.followVault() }  // nobody can restore an older one
      let tried = isTrial ? nil : try checkIsLatest(vault, log, home)
      let opened = try OpenedHome(folder: home, vault: vault, log: log, isTrial: isTrial)
      log.append(.opened(by: vault.openedBy)) { _ in }
      opened.sessionLock.noteCheck(isWhole: !vault.isLocked, tried)
      return opened
    } catch {
      openLog?.close()
      vault.close()
      throw SignerError(error)
    }
  }

  package static func recordFailure(_ error: KeyStoreError, _ type: SlotType, _ home: Home) {
    guard let entry = AuditEntry.openFailed(error, type) else { return }
    guard let log = try? AuditLog.open(recordingIn: home.log, now: Clock.milliseconds) else { return }
    _ = try? log.appendAndWait(entry)
    log.close()
  }
}
