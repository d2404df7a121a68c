package import AuditLog
package import Curve
internal import Encodings
package import Identities
internal import Nostr
package import Platform
package import RemoteSigning
package import Vault

/// An opened home: the vault, the log, and the engine with everything stored put into it. No sockets.
package final class Core: Sendable {
  package let home: Home
  /// Whether nobody knows the vault's passphrase, and all of it is wiped at the end.
  package let isTrial: Bool
  /// The vault is damaged, and this only looks at what is whole; nil as a rule.
  package let damagedView: DamagedVaultView?
  package let vault: Vault
  package let identities: Identities
  package let log: AuditLog
  /// What changes say to the log.
  package let outbox: Outbox
  package let engine: SigningEngine
  package let store: Store
  /// Tells the owner's surfaces, and the relays, what changed.
  package let signerEvents = SignerEvents()
  package let meters = Meters()
  /// Locks and unlocks the identities' keys.
  package let sessionLock: SessionLock
  /// Locks the session by itself.
  package let session: SessionAutoLock
  /// Watches the fingers enrolled on this machine.
  package let fingers: FingerprintWatcher
  private let turn = SerialGuard()
  /// Held while an identity gives way to another key.
  package let rotating = SerialGuard()
  /// Held while what was signed at a coordinate is read, changed and stored.
  package let coordinates = SerialGuard()
  /// The places of addressable events; nil while nobody counted.
  let places = Locked<AddressablePlaces?>(nil)
  /// How many entries the log had when it was stored last that all uses are counted.
  let countedAt = Locked<UInt64>(0)
  /// The counts as they were stored last by a signer that could not read its log since its start.
  let savedWhileUnread = Locked<[PublicKey: Usage]>([:])
  private let formerApps = Locked(FormerApps())
  private let owed = Locked<[Exchange]>([])
  /// Answered requests that could not be taken out of the vault, and what the owner said to them.
  let unended = Locked<(names: [String], answers: [OwnerAnswer])>(([], []))
  /// How many entries the log had when the vault was told last.
  let notedCount = Locked<UInt64?>(nil)
  /// What came of the signer's own drops of old content of the log.
  let retention = Locked(LogRetention.Upkeep())
  /// What only the log can tell, while it cannot be read; nil as a rule.
  private let unread = Locked<Unread?>(nil)
  /// Up to which times requests may have been answered before the start; nil while nobody knows.
  private let answeredBefore = Locked<AnsweredUntil?>(nil)

  /// The signer started, or its clock was set, while it was locked.
  private struct Unread {
    /// No key is used for requests of up to then.
    var answered: AnsweredUntil
    var isClockSet = false
    /// The requests that waited in the vault at the start. Nil where the log was read then: what changed since is in memory.
    var waiting: Set<Bytes32>?
  }

  /// - Parameter now: seconds since 1970.
  package init(
    home: Home, vault: Vault, log: AuditLog, isTrial: Bool = false, damagedView: DamagedVaultView? = nil, now: Int64 = Clock.seconds
  ) throws {
    (self.home, self.vault, self.log, self.isTrial, self.damagedView) = (home, vault, log, isTrial, damagedView)
    engine = SigningEngine(seenKey: log.marksKey.flatMap { SeenKey($0) } ?? .random())
    identities = try Identities(vault)
    outbox = try Outbox(vault, log)
    sessionLock = SessionLock(
      .init(
        home: home, vault: vault, identities: identities, engine: engine, log: log, signerEvents: signerEvents, isLook: damagedView != nil))
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
    noteLog()
    outbox.clear(isEnd: true)
    saveAnswered()
    log.close()
    vault.close()
    damagedView?.close()
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
    // The log is read by the unlocked owner only.
    if vault.isLocked {
      let waiting = Set(try keepNamesOfWaiting())
      let answered = answeredBefore.withLock { $0 } ?? AnsweredUntil(time: Self.unsureUntil(now))
      unread.withLock { $0 = Unread(answered: answered, waiting: waiting) }
    } else {
      try readLog(now: now, waiting: nil)
      saveWhatWasFound()
    }
  }

  // MARK: a start while locked

  /// - Parameters:
  ///   - isClockSet: since the start.
  ///   - waiting: the requests that waited in the vault at the start; nil at the start itself.
  private func readLog(now: Int64, isClockSet: Bool = false, waiting: Set<Bytes32>?) throws {
    try outbox.compare()
    try restoreUsage()
    try restoreSeen(now: now)
    if isClockSet { try restoreSeen(now: now, isClockSet: true) }
    try restorePending(now: now, waiting: waiting)
    try noteRead(now: now)
  }

  // A start after this one, perhaps after a crash in its first minute, need not read all of that again.
  private func saveWhatWasFound() {
    guard !isUnsure else { return }
    let noted = (try? LogRecords.anchor(vault)).flatMap { $0 }?.count ?? 0
    countedAt.withLock { $0 = noted }  // both are noted every minute
    changingPairings { saveUsage() }
    if log.count >= noted + Self.entriesBetweenNotes { noteLog() }
  }

  /// The clock was set, and the log cannot be read: until it was, events of up to now are not taken.
  func doubtUntilRead(now: Int64) {
    let until = Self.unsureUntil(now)
    unread.withLock { unread in
      let answered = AnsweredUntil(time: until)
      unread = Unread(
        answered: unread?.answered.joined(with: answered) ?? answered, isClockSet: true, waiting: unread?.waiting)
    }
  }

  /// No request that was answered before can be of a later time, or it was not taken then.
  private static func unsureUntil(_ now: Int64) -> Int64 { now + SeenEvents.freshness + SeenEvents.toleratedStep }

  /// Whether a request may be one that was answered before this start, and nobody can say: the log could not be read yet.
  func mayBeAnswered(_ event: Event) -> Bool {
    unread.withLock { unread in
      guard let answered = unread?.answered else { return false }
      return answered.covers(event.createdAt, of: SigningEngine.recipient(of: event))
    }
  }

  /// Whether it is certain, and known without waiting, that no request was answered before this start.
  var isCertain: Bool { unread.withLockIfFree { $0 == nil } ?? false }

  /// Reads what the last proper end stored, and removes it: an older log that is put back later must not make it true again. After a kill
  /// there is nothing, and where the vault may be an older copy it is not trusted.
  private func loadAnswered(now: Int64) throws {
    guard damagedView == nil else { return }
    guard (try? vault.value(.setting, id: AnsweredUntil.setting)) ?? nil != nil else { return }
    let stored = AnsweredUntil.stored(in: vault, at: log.extent)
    guard (try? vault.transaction([AnsweredUntil.removal])) != nil, !isUnsure, let stored else { return }
    // Ahead of now where a clock was wrong, then or now. It is kept until that time has come.
    answeredBefore.withLock { $0 = stored.bounded(by: now + AnsweredUntil.mostAhead) }
  }

  /// Takes the time from the log's last entries, once they were read, where the vault had none. When the last entry is of a later time than
  /// now, a clock was wrong, and the time stays unknown.
  private func noteRead(now: Int64) throws {
    guard answeredBefore.withLock({ $0 }) == nil else { return }
    if let last = try log.tail(1).last, last.entry.time / 1000 > now + SeenEvents.toleratedStep { return }
    answeredBefore.withLock { $0 = AnsweredUntil(time: engine.latestRestored) }
  }

  /// At a proper end, behind the last entry of the log.
  private func saveAnswered() {
    guard damagedView == nil, !isUnsure, let before = answeredBefore.withLock({ $0 }) else { return }
    let now = Clock.seconds
    let answered = AnsweredUntil(time: now, apps: engine.latestRequests(after: now)).joined(with: before)
    _ = try? vault.transaction([answered.change(at: log.extent)])
  }

  /// Whether what the log knows of before the start is taken into account: what was answered, used up and waits.
  package var isStartRead: Bool { unread.withLock { $0?.waiting == nil } }

  /// Reads the log after a start while locked, or after the clock was set then, once it can be. What waited at the start comes back by it.
  func catchUp(now: Int64 = Clock.seconds) {
    let isRead = unread.withLock { unread in
      guard let missing = unread, !vault.isLocked else { return false }
      // Tried again at the next unlocking; until then those events are not taken.
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

  /// Whether the vault may be an older copy, or is one: the signer started locked, and the log's last entries may tell of a newer vault. What
  /// the owner changed now could be undone unnoticed.
  package var isUnsure: Bool { !log.followsVault }

  /// Whether this identity is in the vault.
  package func has(_ identity: PublicKey) -> Bool { identities.all.contains { $0.publicKey == identity } }

  /// Gives the engine the keys of all identities that may be in memory now.
  package func loadIdentities() throws {
    try sessionLock.loadKeys()
    try loadLists()
  }

  /// Puts ids of the log's last entries back, so that what was answered before a restart is not answered again.
  /// - Parameter isClockSet: the log's last entries may be of quite another time than those that matter now.
  func restoreSeen(now: Int64, isClockSet: Bool = false) throws(AuditLogError) {
    // Twice the window: an event may be dated ahead of the time it was recorded at.
    let since = (now - 2 * SeenEvents.freshness) * 1000
    let span = now - Self.restoredSpan...now + Self.restoredSpan
    guard isClockSet else {
      return try log.recentMarks(since: since) { engine.restoreSeen($0, from: span) }
    }
    // A clock that stands back by a year has a year of entries before it: only those that matter are gathered.
    for event in try log.recentEvents(since: since, older: Self.entriesSearchedAfterStep, dated: span) {
      guard let createdAt = event.createdAt else { continue }
      engine.restoreSeen(event.id, createdAt: createdAt)
    }
  }

  /// Ids of events this far from now, in seconds, are restored; what is further off is refused for its age.
  private static let restoredSpan = 2 * SeenEvents.freshness

  /// How many entries of another time are passed over when the clock was set: half a second of reading.
  private static let entriesSearchedAfterStep = 100_000

  // MARK: changes

  /// Lends the right to change pairings and what waits behind them, in the vault and then in the engine, to one at a time. Not
  /// re-entrant. Between the two steps of one change another would store what was true before: an app that was revoked, a rule
  /// that was taken back.
  package func changingPairings<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try turn.withLock { () throws(Failure) in try body() }
  }

  /// Stores a pairing and what the log says of it. Call it within `changingPairings`, and `confirm` then.
  /// - Returns: false when it could not be stored; then nothing changed.
  package func save(_ offer: PairingOffer, signer: KeyPair? = nil) -> Bool {
    outbox.recorded(.paired(offer.pairing, time: Clock.milliseconds)) { store.save(offer, signer: signer) }
  }

  /// A stored pairing begins to hold; what it replaced goes from the storage, too. Call it within `changingPairings`.
  package func confirm(_ offer: PairingOffer) {
    let confirmed = engine.confirm(offer)
    dropPending(confirmed.endedRequests, "its app paired anew")
    _ = store.end(confirmed.leftInStorage, .replaced)
    if confirmed.pairing != offer.pairing { _ = store.update([confirmed.pairing]) }
    if !offer.replaced.isEmpty || !confirmed.leftInStorage.isEmpty { signerEvents.tell(.revocationsChanged) }
  }

  package enum Ending { case app, owner }

  /// Ends a pairing: its grant and what waited behind it are gone. Its transport key stays a while, to say so.
  /// - Returns: false when it could not be stored; then nothing changed.
  @discardableResult
  package func forget(_ remoteSigner: PublicKey, by ending: Ending) -> Bool {
    let gone = changingPairings { () -> Pairing? in
      guard let pairing = engine.pairings.first(where: { $0.remoteSigner == remoteSigner }),
        outbox.recorded(
          .unpaired(pairing, by: ending, time: Clock.milliseconds),
          body: { store.end([remoteSigner], ending == .app ? .byApp : .byOwner) })
      else {
        return nil
      }
      let ended = engine.end(remoteSigner, now: Clock.seconds)
      dropPending(ended, ending == .app ? "its app logged out" : "you revoked its app")
      return pairing
    }
    guard let gone else { return false }
    formerApps.withLock { former in
      former.keep(gone.name, of: gone.client)
      _ = store.save(former)
    }
    signerEvents.tell(.clientsChanged)
    signerEvents.tell(.revocationsChanged)
    return true
  }

  /// The names of apps, those that are gone included.
  package var appNames: [PublicKey: String] {
    engine.pairings.reduce(into: formerApps.withLock { $0.names }) { names, pairing in names[pairing.client] = pairing.name }
  }

  /// Requests that end with their pairing leave the vault; the log, the owner's surfaces and their apps hear of it.
  package func dropPending(_ ended: [SigningEngine.EndedRequest], _ why: AuditRule) {
    guard !ended.isEmpty else { return }
    outbox.recorded(ended.map { .dropped($0.request, why) }) { store.deletePending(ended.map(\.request.name)) }
    for (request, _) in ended {
      signerEvents.tell(.requestEnded(name: request.name, approved: nil))
    }
    owe(ended)
  }

  func owe(_ ended: [SigningEngine.EndedRequest]) {
    guard !ended.isEmpty else { return }
    owed.withLock { $0 += ended.map(\.exchange) }
    signerEvents.tell(.answersOwed)
  }

  /// What apps are still to be told. Not more than can wait for the owner.
  func takeOwed() -> [Exchange] {
    owed.withLock { owed in
      defer { owed = [] }
      return owed
    }
  }

  /// Withdraws links that nobody can use any more. An app that comes with one was told for a day that it has expired.
  package func dropOldLinks(now: Int64) {
    let isDropped = changingPairings {
      let old = engine.openLinks.filter { now - $0.expiresAt > Self.expiredLinkKept }.map(\.remoteSigner)
      guard !old.isEmpty, store.retire(old) else { return false }
      for key in old { _ = engine.end(key, now: now) }
      return true
    }
    if isDropped { signerEvents.tell(.clientsChanged) }
  }

  /// How long after its end a link is answered as expired, in seconds.
  private static let expiredLinkKept: Int64 = 86_400

  /// Lets go of the keys of pairings that ended long ago, and of the oldest where there are too many.
  package func dropOldEndings(now: Int64) {
    let isDropped = changingPairings {
      let old = EndedPairing.over(engine.endedPairings, now: now).map(\.remoteSigner)
      guard !old.isEmpty, store.remove(old) else { return false }
      for key in old { _ = engine.close(key) }
      return true
    }
    if isDropped { signerEvents.tell(.clientsChanged) }
  }

  /// Stores when each app was last seen, how much it asked and used up, and takes out rules that ended.
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
  /// The request of this name, while it waits.
  package func pendingRequest(_ name: String) -> PendingRequest? { pendingRequests.first { $0.name == name } }
}
