internal import AuditLog
internal import Curve
internal import Locks
internal import RemoteSigning
internal import SecretMemory
internal import Vault

/// The door before the identities' keys: locks the session and opens it again.
///
/// Locking never waits for the disk before the keys are gone. An unlocking that a locking overtakes comes to nothing.
final class Gate: Sendable {
  private struct State {
    /// How often the session was locked. An unlocking holds only when this is as it was when it began.
    var lockings = 0
  }

  private let vault: Vault
  private let identities: Identities
  private let engine: SigningEngine
  private let log: AuditLog
  private let happenings: Happenings
  private let clock = SteadyClock()
  private let state = Locked(State())

  /// How long locking waits for uses of a key under way, in milliseconds; each is one signature or one encryption.
  private static let longestUse = 250

  init(vault: Vault, identities: Identities, engine: SigningEngine, log: AuditLog, happenings: Happenings) {
    (self.vault, self.identities, self.engine, self.log, self.happenings) = (vault, identities, engine, log, happenings)
  }

  /// Whether the identities' keys are locked away.
  var isLocked: Bool { engine.isLocked }

  /// Gives the engine the keys of all identities, unless they are locked away.
  func loadKeys() throws(VaultError) {
    guard !engine.isLocked else { return }
    do { engine.setIdentities(try keys()) } catch {
      // Locked between the two lines: there is nothing to load.
      guard case .locked = error, engine.isLocked else { throw error }
    }
  }

  private func keys() throws(VaultError) -> [KeyPair] {
    var pairs: [KeyPair] = []
    for identity in identities.all { pairs.append(try identities.keyPair(for: identity.publicKey)) }
    return pairs
  }

  // MARK: locking

  /// Wipes the identities' keys and the key that seals them.
  /// - Parameter cause: who wanted it, for the log.
  /// - Returns: whether the session was open before.
  @discardableResult
  func lock(_ cause: AuditRule) -> Bool {
    let wasOpen = wipeKeys().wasOpen
    guard wasOpen else { return false }
    log.append(.event(.locked, rule: cause)) { _ in }
    happenings.tell(.lockChanged)
    return true
  }

  /// - Returns: whether there were keys, and whether none is in memory any more.
  private func wipeKeys() -> (wasOpen: Bool, areGone: Bool) {
    let wasOpen = state.withLock { state in
      state.lockings += 1
      let wasOpen = !engine.isLocked
      engine.lock()
      return wasOpen
    }
    let areGone = engine.lock(waiting: Self.longestUse)
    vault.lock()
    return (wasOpen, areGone)
  }

  // MARK: unlocking

  /// Opens the session with the vault's passphrase. It is recorded before a key is there.
  /// - Throws: as `Vault.unlock`; `.locked` when the session was locked again meanwhile; what the log throws.
  func unlock(_ passphrase: borrowing SecretBytes) throws(OperationFailure) {
    let lockings = state.withLock { $0.lockings }
    let failed = try attempted { () throws(VaultError) in try vault.unlock(passphrase: passphrase, now: clock.milliseconds) }
    do {
      let keys = try keys()
      try log.appendAndWait(.unlocked(failedAttempts: failed))
      let isOpen = state.withLock { state in
        guard state.lockings == lockings else { return false }
        engine.unlock(with: keys)
        return true
      }
      guard isOpen else { throw OperationFailure.lockedMeanwhile }
    } catch {
      if isLocked { vault.lock() }
      throw OperationFailure(error)
    }
    happenings.tell(.lockChanged)
  }

  /// Checks the passphrase and changes nothing.
  func verify(_ passphrase: borrowing SecretBytes) throws(OperationFailure) {
    _ = try attempted { () throws(VaultError) in try vault.verify(passphrase: passphrase, now: clock.milliseconds) }
  }

  /// Tries a passphrase; one that was wrong, or came too soon, is recorded.
  private func attempted(_ body: () throws(VaultError) -> Int) throws(OperationFailure) -> Int {
    do { return try body() } catch {
      if let entry = AuditEntry.openFailed(error) { log.append(entry) { _ in } }
      throw OperationFailure(error)
    }
  }
}

extension OperationFailure {
  static let lockedMeanwhile = OperationFailure(
    .locked, "The signer was locked while it was being unlocked.", hint: "See: holdfast status")
}
