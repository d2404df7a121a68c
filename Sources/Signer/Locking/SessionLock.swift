package import AuditLog
package import Curve
import Encodings
import Identities
package import Platform
import RemoteSigning
package import SecretMemory
import Unlocking
package import Vault

/// Controls access to the identities' keys: locks and unlocks the session, and suspends everything when something is wrong.
///
/// Locking wipes the keys before it waits for the disk. If the session is locked during an unlock, the unlock has no effect.
package final class SessionLock: Sendable {
  private struct State {
    /// How often the session was locked. An unlock takes effect only if this has not changed since it began.
    var lockings = 0
    var watch = IncidentWatch()
    var looksAtLog = 0
    /// The protection class of each identity's key.
    var classes: [PublicKey: ProtectionClass] = [:]
    /// Suspended by `shut`, and not unlocked since.
    var isShut = false
    /// All of the log's entries confirm that the vault is the latest one.
    var isVaultLatest = false
    var tried: ForgottenAttempts?
    /// Since the last wrong credential that makes the next attempt wait, the log has an entry for one that did not wait.
    var hasRecordedHaste = false
    /// Entries about wrong secrets that nobody can guess, such as a passkey's: no wait slows them down.
    var unguessable = HourlyLimit()
  }

  package let vault: Vault
  let log: AuditLog
  let suspension: Suspension
  private let home: Home
  let isDamagedView: Bool
  let identities: Identities
  let engine: SigningEngine
  private let signerEvents: SignerEvents
  private let clock = SteadyClock()
  private let state = Locked(State())
  private let suspending = SerialGuard()
  let origins = AttemptOrigins()
  /// What opens a trial's vault, so that the trial can be kept. Nil for any other vault, and after a lockdown.
  package let trialPassphrase = Locked<SecretBox?>(nil)

  /// How long locking waits for uses of a key in progress, in milliseconds. Each use is one signature or one encryption.
  private static let longestUse = 250
  /// From this wait on, in seconds, each wrong credential ends all browser sessions: the wait after the tenth in a row.
  static let waitOfGuessing = 128

  /// The parts of an opened home that this type locks and unlocks.
  struct Parts {
    let home: Home
    let vault: Vault
    let identities: Identities
    let engine: SigningEngine
    let log: AuditLog
    let signerEvents: SignerEvents
    /// Whether the vault is a copy that is only viewed, so that stored changes are lost.
    var isDamagedView = false
  }

  init(_ parts: Parts) {
    (vault, log, home, suspension) = (parts.vault, parts.log, parts.home, Suspension(parts.home))
    isDamagedView = parts.isDamagedView
    (identities, engine, signerEvents) = (parts.identities, parts.engine, parts.signerEvents)
  }

  /// Whether the identities' keys are locked.
  package var isLocked: Bool { engine.isLocked }
  /// Whether all permissions are suspended.
  package var isSuspended: Bool { engine.isSuspended }

  /// Whether no key may be in memory at all: suspended by `shut`, and not unlocked since.
  package var isShut: Bool { state.withLock { $0.isShut } }

  /// The protection class of an identity's key.
  package func protection(of identity: PublicKey) -> ProtectionClass { state.withLock { $0.classes[identity] } ?? .whenUnlocked }

  func setClasses(_ classes: [PublicKey: ProtectionClass]) { state.withLock { $0.classes = classes } }

  /// Restores an earlier suspension at the start. Its file, which may have been made while no signer ran, becomes a record.
  func restoreSuspension() throws(VaultError) {
    // The vault was opened by a slot for the class that stays open only, such as the desktop's keyring.
    if vault.isLocked { engine.lock() }
    // After a kill, the last log entries may belong to a newer vault. They can be read only when unlocked, so no key is used
    // until then.
    if vault.isLocked, log.hasUnread { keepShut() }
    guard try suspension.isStored(in: vault) else { return }
    engine.setSuspended(true)
    // Everything was suspended, and opening the vault this way is not an unlock.
    if vault.isLocked { keepShut() }
    // If the disk refuses it now, it is tried again at the next start. Until then the file is there.
    if suspension.isMarked { try? suspension.store(in: vault, milliseconds: Clock.milliseconds) }
  }

  private func keepShut() {
    state.withLock { $0.isShut = true }
    engine.lock(everything: true)
  }

  // MARK: locking

  /// Wipes the identities' keys and the key that encrypts them.
  /// - Parameters:
  ///   - cause: who caused it, for the log.
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

  /// Wipes the keys in the engine. An unlock or resume in progress has no effect then.
  /// - Parameters:
  ///   - everything: also keys of the class that stays open.
  ///   - suspending: whether all permissions are suspended in the same step.
  /// - Returns: whether no key is in memory that must not be.
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

  /// Unlocks the session with any slot that opens the identities' keys. The unlock is recorded before a key is in memory.
  /// - Parameter resuming: whether a suspension ends, too.
  /// - Throws: the errors of `Vault.unlock`; `.locked` when the session was locked again in the meantime; the errors of the log.
  package func unlock(_ opener: any SlotOpener, resuming: Bool = false) throws(SignerError) {
    let lockings = state.withLock { $0.lockings }
    let opening: SlotOpening
    do { opening = try vault.unlock(with: opener, now: clock.milliseconds) } catch {
      throw self.failed(error, by: opener)
    }
    forgiveMistakes(of: opening.type)
    // This also applies while the vault is open: a program with the keyring must not end a suspension or interrupt a lock.
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
      try loadKeys()  // an identity may have been made in the meantime
    } catch {
      if isLocked { vault.lock() }
      closeAgain()
      throw SignerError(error)
    }
    signerEvents.tell(.lockChanged)
  }

  // Closes the vault after an unlock without effect. If another unlock is in progress, it has its keys and continues.
  private func closeAgain() { if isShut, vault.isLocked { vault.shut() } }

  // At a locked start, the state of the vault in the log's last entries cannot be read. It is read here, before any key is used.
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

  /// Notes the comparison of the vault with its log at the start.
  /// - Parameters:
  ///   - isWhole: whether the whole log could be read. If not, an unlock compares again.
  ///   - tried: for the owner to read.
  package func noteCheck(isWhole: Bool, _ tried: ForgottenAttempts?) {
    state.withLock { state in
      state.isVaultLatest = isWhole
      state.tried = tried
    }
  }

  /// Failed attempts on another copy of this vault, found at the start.
  var tried: ForgottenAttempts? { state.withLock { $0.tried } }

  /// The log must not be continued if it is not what was written.
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

  /// Ends a suspension when the vault was just opened with its passphrase and no daemon runs.
  package func resumeHere() throws(SignerError) {
    try checkRecord()
    try endSuspension(unless: { false })
    engine.setSuspended(false)
  }

  /// Checks the owner's credential and changes nothing. The keyring is not accepted, because any program of the owner's can read
  /// it.
  package func verify(_ opener: any SlotOpener) throws(SignerError) {
    guard opener.type != .keyring else { throw .keyringIsNoProof }
    do { try vault.verify(with: opener, now: clock.milliseconds) } catch { throw failed(error, by: opener) }
    forgiveMistakes(of: opener.type)
  }

  /// Tries a credential at a backup of this vault, because the vault has no slot to try it at. A wrong one counts, makes the next attempt
  /// wait and is recorded, as one at the vault.
  /// - Parameter open: opens the backup, or gives nil if the credential is wrong.
  package func attempt<Opened>(atBackup opener: any SlotOpener, _ open: () throws -> Opened?) throws -> Opened {
    do { return try vault.attempt(elsewhere: opener.type, now: clock.milliseconds, open) } catch let error as KeyStoreError {
      throw failed(error, by: opener)
    }
  }

  /// Decrypts the class keys for a proof that is used once.
  package func present(_ proof: some SlotOpener) throws(SignerError) -> Presence {
    // Not before the log's last entries could be read.
    guard !vault.isLocked || state.withLock({ $0.isVaultLatest }) || !log.hasUnread else { throw .locked }
    let presence: Presence
    do { presence = try vault.present(proof, now: clock.milliseconds) } catch { throw failed(error, by: proof) }
    forgiveMistakes(of: proof.type)
    return presence
  }

  /// Handles a failed attempt. A wrong secret, or an attempt that came too soon, is recorded. A wrong passphrase or PIN counts as
  /// suspicious.
  package func failed(_ error: KeyStoreError, by opener: some SlotOpener) -> SignerError {
    // In that case nothing was shown to any token.
    if (opener as? TokenOpener)?.isForNoSlot != true { note(error, by: opener.type) }
    return .notOpened(OpeningError(error, by: opener))
  }

  /// Records a failed attempt.
  package func note(_ error: KeyStoreError, by type: SlotType) {
    if getsEntry(error, type), let entry = AuditEntry.openFailed(error, type, origins.current) { log.append(entry) { _ in } }
    guard case .authenticationFailed(_, let wait) = error else { return }
    if wait >= Self.waitOfGuessing { tellGuessing() }
    // Other secrets cannot be guessed, and two open pages may both send one that has just been used.
    if type == .passphrase || type == .token { report(.wrongPassphrase) }
  }

  /// How many entries an hour there are about wrong secrets that nobody can guess.
  static let unguessablePerHour = 12

  /// Whether a failed attempt gets a log entry. After each wrong credential, only the first attempt that does not wait gets one, and
  /// secrets that nobody can guess get a few an hour: a page can send thousands a minute.
  private func getsEntry(_ error: KeyStoreError, _ type: SlotType) -> Bool {
    state.withLock { state in
      switch error {
      case .authenticationFailed where type == .passkey || type == .keyring:
        return state.unguessable.take(Self.unguessablePerHour, now: Clock.boot)
      case .authenticationFailed(_, let wait) where wait > 0: state.hasRecordedHaste = false
      case .vault(.throttled):
        defer { state.hasRecordedHaste = true }
        return !state.hasRecordedHaste
      default: break
      }
      return true
    }
  }

  /// Runs changes of the stored suspension one at a time.
  func changingSuspension<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    try suspending.withLock { () throws(Failure) in try body() }
  }

  // MARK: incidents

  func noted(_ signal: IncidentSignal, _ origin: AttemptOrigin?, _ id: Bytes32?) -> IncidentWatch.Finding? {
    let isShut = isLocked && isSuspended
    let origin = signal == .wrongPassphrase ? origins.current : origin
    return state.withLock { $0.watch.note(signal, from: origin, id: id, isShut: isShut, at: Clock.boot) }
  }

  /// Carries out a call of the owner. What the log says of wrong credentials in it names where they came from.
  package func from<Result, Failure: Error>(
    _ origin: AttemptOrigin, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try origins.from(origin, body) }

  /// After a right passphrase, one or two wrong ones just before at the same place were typing errors. Any program of the owner's can use the keyring,
  /// so that proves nothing.
  private func forgiveMistakes(of type: SlotType) {
    guard type != .keyring else { return }
    let place = origins.current?.place
    state.withLock { $0.watch.forgive(.wrongPassphrase, at: place, Clock.boot) }
  }

  func dueFindings() -> [IncidentWatch.Finding] { findings(dueAt: Clock.boot) }

  func findings(dueAt second: Int64) -> [IncidentWatch.Finding] { state.withLock { $0.watch.due(at: second) } }

  /// Counts the checks of the log.
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

  /// Has all browser sessions ended. A page that was left open would otherwise keep the owner's unlock waiting for as long as it likes.
  private func tellGuessing() {
    let text = "Ten or more wrong passphrases or kits came in a row. All browsers are signed out."
    tellMinor(Incident(severity: .minor, text: text, time: Clock.milliseconds))
    signerEvents.tell(.guessing)
  }

  func tellMinor(_ incident: Incident) { signerEvents.tell(.incident(incident)) }
}
