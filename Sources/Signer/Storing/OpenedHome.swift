package import AuditLog
package import Curve
import Encodings
package import Identities
import Nostr
package import Platform
package import RemoteSigning
package import Vault

/// An opened home: the vault, the log, and the engine filled with everything stored. No sockets.
package final class OpenedHome: Sendable {
  package let folder: Home
  /// Whether this is a trial: nobody knows the vault's passphrase, and all of it is wiped at the end.
  package let isTrial: Bool
  /// Set when the vault is damaged and only its intact part is viewed. Usually nil.
  package let damagedView: DamagedVaultView?
  package let vault: Vault
  package let identities: Identities
  package let log: AuditLog
  /// Passes the log entries of changes on to the log.
  package let outbox: Outbox
  package let engine: SigningEngine
  package let store: Store
  /// Tells observers and relays what changed.
  package let signerEvents = SignerEvents()
  package let meters = Meters()
  /// Locks and unlocks the identities' keys.
  package let sessionLock: SessionLock
  /// Locks the session automatically.
  package let session: SessionAutoLock
  /// Watches the fingers enrolled on this machine.
  package let fingers: FingerprintWatcher
  private let turn = SerialGuard()
  /// Held while an identity is rotated to another key.
  package let rotating = SerialGuard()
  /// Held while a coordinate's record is read, changed and stored.
  package let coordinates = SerialGuard()
  /// The counts of addressable events' coordinates; nil until they are counted.
  let places = Locked<AddressablePlaces?>(nil)
  /// The log's length when it was last stored that all uses are counted.
  let countedAt = Locked<UInt64>(0)
  /// The counts that were last stored by a signer that could not read its log since its start.
  let savedWhileUnread = Locked<[PublicKey: Usage]>([:])
  let formerApps = Locked(FormerApps())
  private let owed = Locked<[Exchange]>([])
  /// Answered requests that could not be removed from the vault, and the owner's answers.
  let unended = Locked<(names: [String], answers: [OwnerAnswer])>(([], []))
  /// The log's length that the vault noted last.
  let notedCount = Locked<UInt64?>(nil)
  /// The state of automatic dropping of old log content.
  let retention = Locked(LogRetention.Upkeep())
  /// What only the log can show, while it cannot be read. Usually nil.
  private let unread = Locked<Unread?>(nil)
  /// The times up to which requests may have been answered before the start; nil when unknown.
  private let answeredBefore = Locked<AnsweredUntil?>(nil)

  /// The signer started, or its clock was set, while it was locked.
  private struct Unread {
    /// No key is used for requests up to these times.
    var answered: AnsweredUntil
    var isClockSet = false
    /// The requests that waited in the vault at the start. Nil when the log was read then: later changes are in memory.
    var waiting: Set<Bytes32>?
  }

  /// - Parameter now: seconds since 1970.
  package init(
    folder: Home, vault: Vault, log: AuditLog, isTrial: Bool = false, damagedView: DamagedVaultView? = nil,
    now: Int64 = Clock.seconds
  ) throws {
    (self.folder, self.vault, self.log, self.isTrial, self.damagedView) = (folder, vault, log, isTrial, damagedView)
    engine = SigningEngine(seenKey: log.marksKey.flatMap { SeenKey($0) } ?? .random())
    identities = try Identities(vault)
    outbox = try Outbox(vault, log)
    sessionLock = SessionLock(
      .init(
        home: folder, vault: vault, identities: identities, engine: engine, log: log, signerEvents: signerEvents,
        isDamagedView: damagedView != nil))
    session = try SessionAutoLock(sessionLock, signerEvents)
    fingers = FingerprintWatcher(vault, outbox, signerEvents)
    store = Store(vault)
    try load(now: now)
  }

  package func close() {
    session.stop()
    fingers.stop()
    saveUse()
    changingPairings { endPending() }
    outbox.clear(isEnd: true)
    log.close { [self] anchor in saveEnd(anchor) }
    vault.close()
    damagedView?.close()
    signerEvents.close()
  }

  // MARK: start-up

  private func load(now: Int64) throws {
    try sessionLock.restoreSuspension()
    try loadRetired()
    try loadIdentities()
    for link in try store.links() { engine.open(link.value, signer: link.signer, now: now) }
    dropOldLinks(now: now)
    for pairing in try store.pairings() { engine.add(pairing.value, signer: pairing.signer, now: now) }
    for ended in try store.endedPairings() { engine.add(ended.value, signer: ended.signer, now: now) }
    dropOldEndings(now: now)
    let former = try store.formerApps()
    formerApps.withLock { $0 = former }
    try loadRules()
    try healCoordinates(now: now)
    try restoreStoredUsage()
    try loadAnswered(now: now)
    // The log can be read only while unlocked.
    if vault.isLocked {
      let waiting = Set(try keepNamesOfWaiting())
      let answered = answeredWhileUnread(now)
      unread.withLock { $0 = Unread(answered: answered, waiting: waiting) }
    } else {
      try readLog(now: now, waiting: nil)
      saveWhatWasFound()
    }
  }

  // MARK: a start while locked

  /// After a clean stop the ids of all that was answered are known without the log. Otherwise only times are.
  private func answeredWhileUnread(_ now: Int64) -> AnsweredUntil {
    guard let before = answeredBefore.withLock({ $0 }) else { return AnsweredUntil(time: Self.unsureUntil(now)) }
    let since = now - Self.restoredSpan
    // Those of the future, too: a clock that was ahead may have answered them, and their time comes.
    let isAllKnown = log.closedMarks(since: since * 1000) { engine.restoreSeen($0, from: since ... .max) }
    return isAllKnown ? .nothing : before
  }

  /// - Parameters:
  ///   - isClockSet: whether the clock was set since the start.
  ///   - waiting: the requests that waited in the vault at the start; nil at the start itself.
  private func readLog(now: Int64, isClockSet: Bool = false, waiting: Set<Bytes32>?) throws {
    try outbox.compare()
    try restoreUsage()
    try restoreSeen(now: now)
    if isClockSet { try restoreSeen(now: now, isClockSet: true) }
    try restorePending(now: now, waiting: waiting)
    try noteRead(now: now)
  }

  // A following start, perhaps after a crash in the first minute, need not read all of that again.
  private func saveWhatWasFound() {
    guard !isUnsure else { return }
    let noted = (try? LogRecords.anchor(vault)).flatMap { $0 }?.count ?? 0
    countedAt.withLock { $0 = noted }  // both are stored every minute
    changingPairings { saveUsage() }
    if log.count >= noted + Self.entriesBetweenNotes { noteLog() }
  }

  /// The clock was set while the log cannot be read. Until it is read, events dated up to now are refused.
  func doubtUntilRead(now: Int64) {
    let until = Self.unsureUntil(now)
    unread.withLock { unread in
      let answered = AnsweredUntil(time: until)
      unread = Unread(
        answered: unread?.answered.joined(with: answered) ?? answered, isClockSet: true, waiting: unread?.waiting)
    }
  }

  /// A request answered before cannot have a later date, because it would have been refused then.
  private static func unsureUntil(_ now: Int64) -> Int64 { now + SeenEvents.freshness + SeenEvents.toleratedStep }

  /// Whether a request may have been answered before this start, because the log could not be read yet.
  func mayBeAnswered(_ event: Event) -> Bool {
    unread.withLock { unread in
      guard let answered = unread?.answered else { return false }
      return answered.covers(event.createdAt, of: SigningEngine.recipient(of: event))
    }
  }

  /// Whether no key is used for a request that is made now, because the signer was killed and the log was not read since.
  package func isInDoubt(now: Int64) -> Bool { unread.withLock { $0?.answered.covers(now, of: nil) ?? false } }

  /// Whether it is certain, and known without waiting, that no request was answered before this start.
  var isCertain: Bool { unread.withLockIfFree { $0 == nil } ?? false }

  /// Reads what the last clean stop stored, and removes it, so that an older log restored later cannot make it valid again. After
  /// a kill there is nothing. If the vault may be an older copy, it is not trusted.
  private func loadAnswered(now: Int64) throws {
    guard damagedView == nil else { return }
    guard (try? vault.value(.setting, id: AnsweredUntil.setting)) ?? nil != nil else { return }
    let stored = AnsweredUntil.stored(in: vault, at: log.extent)
    guard (try? vault.transaction([AnsweredUntil.removal])) != nil, !isUnsure, let stored else { return }
    // It is in the future when a clock was or is wrong, and is kept until that time has passed.
    answeredBefore.withLock { $0 = stored.bounded(by: now + AnsweredUntil.mostAhead) }
  }

  /// Takes the time from the log's last entries once they were read, if the vault had none. If the last entry is later than now,
  /// a clock was wrong, and the time stays unknown.
  private func noteRead(now: Int64) throws {
    guard answeredBefore.withLock({ $0 }) == nil else { return }
    if let last = try log.tail(1).last, last.entry.time / 1000 > now + SeenEvents.toleratedStep { return }
    answeredBefore.withLock { $0 = AnsweredUntil(time: engine.latestRestored) }
  }

  /// Stores where the log ends and until when requests were answered. Called at a clean stop, when no entry follows, and before the log's
  /// last head, which so knows of this change of the vault.
  /// - Parameter anchor: nil when the last entries are not on the disk.
  private func saveEnd(_ anchor: AuditAnchor?) {
    let changes = [anchor.flatMap { LogRecords.change(to: $0) }, answered?.change(at: log.extent)].compactMap(\.self)
    if !changes.isEmpty { _ = try? vault.transaction(changes) }
  }

  /// Until when requests were answered; nil while that is not certain.
  private var answered: AnsweredUntil? {
    guard damagedView == nil, !isUnsure, let before = answeredBefore.withLock({ $0 }) else { return nil }
    let now = Clock.seconds
    return AnsweredUntil(time: now, apps: engine.latestRequests(after: now)).joined(with: before)
  }

  /// Whether the log's entries from before the start have been processed: what was answered, used up and waits.
  package var isStartRead: Bool { unread.withLock { $0?.waiting == nil } }

  /// Reads the log after a locked start, or after the clock was set while locked, once it can be read. Requests that waited at
  /// the start are restored by it.
  func catchUp(now: Int64 = Clock.seconds) {
    let isRead = unread.withLock { unread in
      guard let missing = unread, !vault.isLocked else { return false }
      // Tried again at the next unlock; until then those events are refused.
      do {
        if let waiting = missing.waiting {
          try readLog(now: now, isClockSet: missing.isClockSet, waiting: waiting)
        } else {
          try restoreSeen(now: now, isClockSet: true)
        }
      } catch { return false }
      unread = nil
      return true
    }
    if isRead { saveWhatWasFound() }
  }

  /// Whether the vault may be an older copy: the signer started locked, and the log's last entries may belong to a newer vault. A
  /// change that the owner makes now could be undone unnoticed.
  package var isUnsure: Bool { !log.followsVault }

  /// Whether this identity is in the vault.
  package func has(_ identity: PublicKey) -> Bool { identities.all.contains { $0.publicKey == identity } }

  /// Gives the engine the keys of all identities that may be in memory now.
  package func loadIdentities() throws {
    try sessionLock.loadKeys()
    try loadLists()
  }

  /// Restores the ids of the log's last entries, so that requests answered before a restart are not answered again.
  /// - Parameter isClockSet: the last entries may have quite different times from those that matter now.
  func restoreSeen(now: Int64, isClockSet: Bool = false) throws(AuditLogError) {
    // Twice the window: an event's date may be ahead of the time it was recorded at.
    let since = (now - 2 * SeenEvents.freshness) * 1000
    let span = now - Self.restoredSpan...now + Self.restoredSpan
    guard isClockSet else {
      return try log.recentMarks(since: since) { engine.restoreSeen($0, from: span) }
    }
    // If the clock is a year behind, a year of entries is later than it. Only those that matter are collected.
    for event in try log.recentEvents(since: since, older: Self.entriesSearchedAfterStep, dated: span) {
      guard let createdAt = event.createdAt else { continue }
      engine.restoreSeen(event.id, createdAt: createdAt)
    }
  }

  /// Ids of events this close to now, in seconds, are restored. Others are refused for their age.
  private static let restoredSpan = 2 * SeenEvents.freshness

  /// How many entries with other times are skipped when the clock was set: half a second of reading.
  private static let entriesSearchedAfterStep = 100_000

  // MARK: changes

  /// Runs changes of pairings and their waiting requests one at a time, in the vault and then in the engine. Not re-entrant.
  /// Between the two steps of a change, another one would store outdated state: an app that was revoked, or a rule that was
  /// removed.
  package func changingPairings<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try turn.withLock { () throws(Failure) in try body() }
  }

  /// Stores a pairing with its log entry. Call it within `changingPairings`, then call `confirm`.
  /// - Returns: false when it could not be stored; nothing changed then.
  package func save(_ offer: PairingOffer, signer: KeyPair? = nil) -> Bool {
    outbox.recorded(.paired(offer.pairing, time: Clock.milliseconds)) { store.save(offer, signer: signer) }
  }

  /// Activates a stored pairing. What it replaced is removed from storage. Call it within `changingPairings`.
  package func confirm(_ offer: PairingOffer) {
    let confirmed = engine.confirm(offer)
    dropPending(confirmed.endedRequests, "its app paired anew")
    _ = store.end(confirmed.leftInStorage, .replaced)
    if confirmed.pairing != offer.pairing { _ = store.update([confirmed.pairing]) }
    if !offer.replaced.isEmpty || !confirmed.leftInStorage.isEmpty { signerEvents.tell(.revocationsChanged) }
  }

  /// The names of apps, including former ones.
  package var appNames: [PublicKey: String] {
    engine.pairings.reduce(into: formerApps.withLock { $0.names }) { names, pairing in names[pairing.client] = pairing.name }
  }

  /// Removes requests that end with their pairing from the vault, and tells the log, the observers and their apps.
  package func dropPending(_ ended: [SigningEngine.EndedRequest], _ why: AuditRule) {
    guard !ended.isEmpty else { return }
    outbox.recorded(ended.map { .dropped($0.request, why) }) { store.deletePending(ended.map(\.request.name)) }
    for (request, _) in ended {
      signerEvents.tell(.requestEnded(name: request.name, approved: nil))
    }
    owe(ended)
  }

  /// Stores that a request ended without an answer. If it cannot be stored, the log says so at least.
  func drop(_ request: PendingRequest, _ why: AuditRule) {
    let entry = AuditEntry.dropped(request, why)
    if !outbox.recorded(entry, body: { store.deletePending([request.name]) }) {
      log.append(entry) { _ in }
      store.deletePending([request.name])
    }
  }

  func owe(_ ended: [SigningEngine.EndedRequest]) {
    guard !ended.isEmpty else { return }
    owed.withLock { $0 += ended.map(\.exchange) }
    signerEvents.tell(.answersOwed)
  }

  /// Answers that apps must still be sent. There are at most as many as requests can wait for the owner.
  func takeOwed() -> [Exchange] {
    owed.withLock { owed in
      defer { owed = [] }
      return owed
    }
  }

  /// Withdraws links that nobody can use any more. For a day, an app that used one was told that it has expired.
  package func dropOldLinks(now: Int64) {
    let isDropped = changingPairings {
      let old = engine.openLinks.filter { now - $0.expiresAt > Self.expiredLinkKept }.map(\.remoteSigner)
      guard !old.isEmpty, store.retire(old) else { return false }
      for key in old { _ = engine.end(key, now: now) }
      return true
    }
    if isDropped { signerEvents.tell(.clientsChanged) }
  }

  /// How long a link is answered as expired after its end, in seconds.
  private static let expiredLinkKept: Int64 = 86_400

  /// Drops the keys of pairings that ended long ago, and of the oldest when there are too many.
  package func dropOldEndings(now: Int64) {
    let isDropped = changingPairings {
      let old = EndedPairing.over(engine.endedPairings, now: now).map(\.remoteSigner)
      guard !old.isEmpty, store.remove(old) else { return false }
      for key in old { _ = engine.close(key) }
      return true
    }
    if isDropped { signerEvents.tell(.clientsChanged) }
  }

  /// Stores when each app was last seen and what it used, and removes expired rules.
  package func saveUse() {
    let ended = changingPairings {
      let ended = engine.removeExpiredRules(now: Clock.seconds)
      _ = store.update(ended + engine.takeUsedPairings())
      saveUsage()
      return ended
    }
    if !ended.isEmpty { signerEvents.tell(.clientsChanged) }
  }
}

extension SigningEngine {
  /// The request with this name, while it waits.
  package func pendingRequest(_ name: String) -> PendingRequest? { pendingRequests.first { $0.name == name } }
}
