package import AuditLog
package import Curve
internal import Encodings
import Identities
internal import Platform
internal import RemoteSigning
internal import SecretMemory
internal import Unlocking
package import Vault

/// The door before the identities' keys: locks the session and opens it again, and shuts everything when something is wrong.
///
/// Locking never waits for the disk before the keys are gone. An unlocking that a locking overtakes comes to nothing.
package final class SessionLock: Sendable {
  private struct State {
    /// How often the session was locked. An unlocking holds only when this is as it was when it began.
    var lockings = 0
    var watch = IncidentWatch()
    var looksAtLog = 0
    /// Under which class each identity's key is sealed.
    var classes: [PublicKey: ProtectionClass] = [:]
    /// Shut, and not unlocked since.
    var isShut = false
    /// The vault was found to be the one the log knows, by all of the log's entries.
    var isVaultLatest = false
    var tried: ForgottenAttempts?
  }

  package let vault: Vault
  let log: AuditLog
  let suspension: Suspension
  private let home: Home
  let isLook: Bool
  let identities: Identities
  let engine: SigningEngine
  private let signerEvents: SignerEvents
  private let clock = SteadyClock()
  private let state = Locked(State())
  private let suspending = SerialGuard()

  /// How long locking waits for uses of a key under way, in milliseconds; each is one signature or one encryption.
  private static let longestUse = 250

  /// The parts of an opened home that the gate shuts and opens.
  struct Parts {
    let home: Home
    let vault: Vault
    let identities: Identities
    let engine: SigningEngine
    let log: AuditLog
    let signerEvents: SignerEvents
    /// Whether the vault is a copy to look at, so that nothing stored in it stays.
    var isLook = false
  }

  init(_ parts: Parts) {
    (vault, log, home, suspension) = (parts.vault, parts.log, parts.home, Suspension(parts.home))
    isLook = parts.isLook
    (identities, engine, signerEvents) = (parts.identities, parts.engine, parts.signerEvents)
  }

  /// Whether the identities' keys are locked away.
  package var isLocked: Bool { engine.isLocked }
  /// Whether all permissions are suspended.
  package var isSuspended: Bool { engine.isSuspended }

  /// Whether no key at all may be in memory: shut, and not unlocked since.
  package var isShut: Bool { state.withLock { $0.isShut } }

  /// Under which class an identity's key is sealed.
  package func protection(of identity: PublicKey) -> ProtectionClass { state.withLock { $0.classes[identity] } ?? .whenUnlocked }

  func setClasses(_ classes: [PublicKey: ProtectionClass]) { state.withLock { $0.classes = classes } }

  /// At the start: a suspension from before holds on. Its mark, made while no signer ran, becomes a record.
  func restoreSuspension() throws(VaultError) {
    // Opened by what opens only the class that stays open, such as the desktop's keyring.
    if vault.isLocked { engine.lock() }
    // What a signer that was killed wrote last may tell of a newer vault, and can be read only when unlocked: until then no key is used.
    if vault.isLocked, log.hasUnread { keepShut() }
    guard try suspension.isStored(in: vault) else { return }
    engine.setSuspended(true)
    // Everything was shut, and what opened the vault now is no unlocking.
    if vault.isLocked { keepShut() }
    // What the disk does not take now is tried at the next start; the mark is there until then.
    if suspension.isMarked { try? suspension.store(in: vault, milliseconds: Clock.milliseconds) }
  }

  private func keepShut() {
    state.withLock { $0.isShut = true }
    engine.lock(everything: true)
  }

  // MARK: locking

  /// Wipes the identities' keys and the key that seals them.
  /// - Parameters:
  ///   - cause: who wanted it, for the log.
  ///   - everything: also keys of the class that stays open.
  /// - Returns: whether the session was open before.
  @discardableResult
  package func lock(_ cause: AuditRule, everything: Bool = false) -> Bool {
    let wasOpen = !engine.isLocked
    dropKeys(everything: everything)
    vault.lock()
    guard wasOpen else { return false }
    log.append(.event(.locked, rule: cause)) { _ in }
    signerEvents.tell(.lockChanged)
    return true
  }

  /// Wipes the keys in the engine; any unlocking or resuming under way comes to nothing.
  /// - Parameters:
  ///   - everything: also keys of the class that stays open.
  ///   - suspending: whether all permissions are suspended in the same step.
  /// - Returns: whether no key is in memory any more that should not be.
  @discardableResult
  func dropKeys(everything: Bool = false, suspending: Bool = false) -> Bool {
    state.withLock { state in
      state.lockings += 1
      if everything { state.isShut = true }
      if suspending { engine.setSuspended(true) }
      engine.lock(everything: everything)
    }
    return engine.lock(waiting: Self.longestUse)
  }

  // MARK: unlocking

  /// Opens the session with any slot that opens the identities' keys. It is recorded before a key is there.
  /// - Parameter resuming: whether a suspension ends, too.
  /// - Throws: as `Vault.unlock`; `.locked` when the session was locked again meanwhile; what the log throws.
  package func unlock(_ opener: any SlotOpener, resuming: Bool = false) throws(SignerError) {
    let lockings = state.withLock { $0.lockings }
    let opening: SlotOpening
    do { opening = try vault.unlock(with: opener, now: clock.milliseconds) } catch {
      throw self.failed(error, by: opener)
    }
    // Also while the vault is open: a program with the keyring shall not end a suspension, nor come between in a locking.
    guard !vault.isLocked, opening.type != .keyring else {
      closeAgain()
      throw .keysStayLocked
    }
    do {
      try checkVault()
      try learnClasses()
      let keys = try keys()
      try log.appendAndWait(.unlocked(by: opening))
      if resuming {
        try checkRecord()
        try endSuspension(unless: { self.state.withLock { $0.lockings != lockings } })
      }
      guard open(keys, resuming: resuming, lockings) else { throw SignerError.lockedMeanwhile }
      try loadKeys()  // an identity may have been made meanwhile
    } catch {
      if isLocked { vault.lock() }
      closeAgain()
      throw SignerError(error)
    }
    signerEvents.tell(.lockChanged)
  }

  // What opened the vault came to nothing. Another unlocking that is under way has its keys, and goes on.
  private func closeAgain() { if isShut, vault.isLocked { vault.shut() } }

  // What the log's last entries say of the vault cannot be read at a start while locked. It is, before any key is used.
  private func checkVault() throws {
    guard !state.withLock({ $0.isVaultLatest }) else { return }
    let tried: ForgottenAttempts?
    do { tried = try Opening.checkIsLatest(vault, log, home) } catch {
      if case .otherVault(let found, let missing)? = error as? SignerError {
        _ = shut(RollbackFinding.code, found.text(missing: missing))
      }
      throw error
    }
    state.withLock { $0.isVaultLatest = true }
    guard let tried else { return }
    _ = shut(ForgottenAttempts.code, tried.sentence)
    throw SignerError.triedElsewhere(tried)
  }

  /// The vault was compared with its log at the start.
  /// - Parameters:
  ///   - isWhole: whether all of the log could be read; if not, an unlocking compares again.
  ///   - tried: for the owner to read.
  package func noteLook(isWhole: Bool, _ tried: ForgottenAttempts?) {
    state.withLock { state in
      state.isVaultLatest = isWhole
      state.tried = tried
    }
  }

  /// What was tried on another copy of this vault, as it was found at the start.
  var tried: ForgottenAttempts? { state.withLock { $0.tried } }

  /// The log is not gone on with where it is not what was written.
  private func checkRecord() throws(SignerError) {
    guard log.count <= Self.mostChecked else { return }
    let fault: AuditIntegrityError?
    do { fault = try AuditLog.verify(folder: home.log).fault } catch { throw SignerError(error) }
    guard let fault else { return }
    throw .logChanged(fault)
  }

  private func open(_ keys: [KeyPair], resuming: Bool, _ lockings: Int) -> Bool {
    state.withLock { state in
      guard state.lockings == lockings else { return false }
      if resuming { engine.setSuspended(false) }
      state.isShut = false
      engine.unlock(with: keys)
      return true
    }
  }

  /// Ends a suspension where the vault was opened with its passphrase just now and no daemon runs.
  package func resumeHere() throws(SignerError) {
    try checkRecord()
    try endSuspension(unless: { false })
    engine.setSuspended(false)
  }

  /// Checks what the owner shows and changes nothing. The keyring shows nothing: any program of the owner's has it.
  package func verify(_ opener: any SlotOpener) throws(SignerError) {
    guard opener.type != .keyring else { throw .keyringIsNoProof }
    do { try vault.verify(with: opener, now: clock.milliseconds) } catch { throw failed(error, by: opener) }
  }

  /// Unwraps the class keys of a proof for one use.
  package func present(_ proof: some SlotOpener) throws(SignerError) -> Presence {
    // Not before the log's last entries could be read.
    guard !vault.isLocked || state.withLock({ $0.isVaultLatest }) || !log.hasUnread else { throw .locked }
    do { return try vault.present(proof, now: clock.milliseconds) } catch { throw failed(error, by: proof) }
  }

  /// An attempt that failed. One that was wrong, or came too soon, is recorded; a wrong passphrase or PIN counts as suspicious.
  package func failed(_ error: KeyStoreError, by opener: some SlotOpener) -> SignerError {
    // Nothing was shown to any token then.
    if (opener as? TokenOpener)?.isForNoSlot != true { note(error, by: opener.type) }
    return .notOpened(OpeningError(error, by: opener))
  }

  /// Records an attempt that failed.
  package func note(_ error: KeyStoreError, by type: SlotType) {
    if let entry = AuditEntry.openFailed(error, type) { log.append(entry) { _ in } }
    // Other secrets cannot be guessed, and two pages at once may bring one that was good a moment ago.
    if case .authenticationFailed = error, type == .passphrase || type == .token { report(.wrongPassphrase) }
  }

  /// Lends the right to change what is stored of the suspension to one at a time.
  func changingSuspension<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try suspending.withLock { () throws(Failure) in try body() }
  }

  // MARK: incidents

  func noted(_ signal: IncidentSignal, _ id: Bytes32?) -> IncidentWatch.Finding? {
    let isShut = isLocked && isSuspended
    return state.withLock { $0.watch.note(signal, id: id, isShut: isShut, at: Clock.boot) }
  }

  func dueFindings() -> [IncidentWatch.Finding] { state.withLock { $0.watch.due(at: Clock.boot) } }

  /// Counts the looks at the log.
  func isWholeDue(every looks: Int) -> Bool {
    state.withLock { state in
      state.looksAtLog = (state.looksAtLog + 1) % looks
      return state.looksAtLog == 0
    }
  }

  func tellShut(_ incident: Incident) {
    signerEvents.tell(.lockChanged)
    signerEvents.tell(.incident(incident))
  }

  func tellMinor(_ incident: Incident) { signerEvents.tell(.incident(incident)) }
}
