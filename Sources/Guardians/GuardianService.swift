package import AuditLog
package import Curve
package import Encodings
import EntrustedShares
package import Identities
package import Nostr
import Platform
import Relays
import RemoteSigning
package import Signer
package import Sockets
import Vault

/// Carries envelopes between owners, guardians and those who ask: gift wraps (NIP-59) on relays.
///
/// Each identity has connections of its own, so that no relay learns from a subscription or a login that two identities belong to
/// one person. An identity that has nothing to do with guardians has no connections. Neither has one whose key may not be used,
/// because the signer is locked or the key needs presence: its envelopes wait at the relays.
package final class GuardianService: Sendable {
  private struct State {
    /// One pool for each identity that ever listened. It has no relays while the identity does not listen.
    var lanes: [PublicKey: RelayPool] = [:]
    /// Wraps that were opened, or tried, since the start or the last unlock.
    var seen: Set<Bytes32> = []
    var pace = EnvelopeLimiter()
    var isReadingAgain = false
    /// The wait before the next reading, in milliseconds.
    var readingWait = GuardianService.readAgainAfter
    var told = SourceLimits()
    /// When open notices are sent again, in seconds of the clock that counts since the boot.
    var repeatAt = Clock.boot + GuardianService.repeatEvery
  }

  /// How far back envelopes are asked for, in seconds. Wraps are dated back by up to two days, and the signer may have been off.
  private static let lookBack: Int64 = NIP59.longestBackdating + 14 * 24 * 3600
  /// When envelopes came too fast, the rest is asked for again after this time, in milliseconds.
  private static let readAgainAfter = 60_000
  /// The longest such wait. Each reading doubles it, so that a flood is not downloaded without end.
  private static let longestReadingWait = 3_600_000
  private static let mostSeen = 100_000
  /// Of how many requests for shares the owner is told in an hour, for each `RequestSource`.
  private static let toldPerHour = 12
  private static let retryMilliseconds = 10_000
  /// The time between two reminders to an owner of a request that can still be stopped, in seconds.
  private static let repeatEvery: Int64 = 6 * 3600
  /// In milliseconds.
  private static let longestTick: Int64 = 3_600_000

  let book: GuardianBook
  package let keys: GuardianKeys
  private let identities: Identities
  private let sessionLock: SessionLock
  private let signerEvents: SignerEvents
  private let logins: GuardianLogins
  private let loop: EventLoop
  private let workers: Workers
  private let owners: Set<WebSocketURL>
  private let state = Locked(State())
  private let receiver: Locked<Receiver>

  // Wrapped: a closure must not be the value of a `Locked`.
  private struct Receiver: Sendable { var take: @Sendable (Event, PublicKey) -> Void = { _, _ in } }

  /// - Parameter relays: those that the owner named for the signer.
  package init(
    _ book: GuardianBook, _ identities: Identities, _ sessionLock: SessionLock, _ signerEvents: SignerEvents, log: AuditLog,
    _ loop: EventLoop, _ workers: Workers, relays: [String]
  ) {
    (self.book, self.identities, self.sessionLock, self.signerEvents) = (book, identities, sessionLock, signerEvents)
    (self.loop, self.workers) = (loop, workers)
    (keys, logins) = (GuardianKeys(identities, sessionLock), GuardianLogins(log))
    owners = Set(relays.compactMap { try? WebSocketURL(parsing: $0) })
    receiver = Locked(Receiver())
  }

  package func begin() {
    receiver.change { $0.take = { [weak self] event, identity in self?.take(event, for: identity) } }
    signerEvents.subscribe { [weak self] signerEvent in
      switch signerEvent {
      case .lockChanged: self?.lockChanged()
      case .identitiesChanged: self?.refresh()
      default: break
      }
    }
    refresh()
    look()
    tick()
  }

  package func stop() {
    receiver.change { $0.take = { _, _ in } }
    try? book.noteTime(at: .now)
    logins.record(now: nil)
  }

  /// Records the logins of past hours. Called by the regular upkeep.
  package func recordLogins() { logins.record(now: Clock.boot) }

  // MARK: relays

  /// Connects relays, or leaves them, after guardians, requests, identities or usable keys changed.
  package func refresh() {
    let wanted = book.correspondents(identities.all.map(\.publicKey)).filter { keys.isUsable($0.key) }
    let (added, left) = state.withLock { state in
      let added = wanted.keys.filter { state.lanes[$0] == nil }
      for identity in added { state.lanes[identity] = lane(of: identity) }
      return (
        wanted.compactMap { key, relays in state.lanes[key].map { ($0, relays) } }, state.lanes.filter { wanted[$0.key] == nil }
      )
    }
    for (lane, relays) in added { lane.setRelays(urls(relays), first: owners) }
    // What came and could not be read is asked for again when the identity is back.
    for lane in left.values { lane.setRelays([]) }
  }

  /// The relay connections of one identity.
  private func lane(of identity: PublicKey) -> RelayPool {
    let (workers, receiver, keys, logins) = (workers, receiver, keys, logins)
    let lane = RelayPool(
      loop: loop,
      hooks: .init(
        deliver: { event, _, handled in
          let isQueued = workers.submit {
            receiver.withLock { $0 }.take(event, identity)
            handled()
          }
          if !isQueued { handled() }
        },
        // A relay that shows gift wraps only to their readers asks for a login.
        authenticate: { url, challenge in
          guard let key = keys.pair(for: identity) else { return [] }
          let login = NIP42.event(relay: url.text, challenge: challenge, author: identity, now: Clock.seconds)
          return logins.sign(login, at: url, with: key, now: Clock.boot).map { [$0] } ?? []
        }, now: { Clock.seconds },
        // All of them were named by the person here. Envelopes name no relays.
        mayReachInside: { _ in true }),
      subscription: .init(kinds: [NIP59.wrapKind], lookBack: Self.lookBack, readsAllStored: true))
    lane.setKeys([identity])
    return lane
  }

  private func urls(_ relays: some Sequence<String>) -> Set<WebSocketURL> {
    owners.union(relays.compactMap { try? WebSocketURL(parsing: $0) })
  }

  private func lockChanged() {
    if sessionLock.isLocked { keys.forget() }
    readAgain()
    if !sessionLock.isLocked { workers.submitAlways { [weak self] in self?.giveDue() } }
  }

  /// Connects again for keys that became usable, and asks again for what could not be read before.
  package func readAgain() {
    state.change { ($0.seen, $0.readingWait) = ([], Self.readAgainAfter) }
    refresh()
    for lane in state.withLock({ Array($0.lanes.values) }) { lane.readAgain() }
  }

  // MARK: keys that need presence

  /// The owner showed a credential: for a while, envelopes of an identity whose key needs presence are read and written.
  package func open(_ identity: PublicKey, _ key: KeyPair, seconds: Int64) {
    keys.open(identity, key, until: Clock.bootMilliseconds + seconds * 1000)
    readAgain()
    workers.submitAlways { [weak self] in self?.giveDue() }
    _ = loop.after(milliseconds: Int(seconds) * 1000 + 100) { [weak self] in
      self?.keys.forgetOld(now: Clock.bootMilliseconds)
      self?.refresh()
    }
  }

  // MARK: in

  private func take(_ event: Event, for identity: PublicKey) {
    guard event.kind == NIP59.wrapKind, event.tagValues("p").contains(identity.hex), let key = keys.pair(for: identity),
      mayOpen(event.id), let rumor = try? NIP59.open(event, with: key), rumor.event.kind == GuardianMessage.kind,
      let message = GuardianMessage(rumor.event.content)
    else { return }
    let place: (Bytes32, ShareRequest.Part)? =
      switch message {
      case .ask: (rumor.id, .guardian)
      case .asked(let notice): (notice.request, .owner)
      default: nil
      }
    let author = rumor.event.pubkey
    let before = try? place.flatMap { try book.find($0.0, $0.1, from: author) }
    let envelopes = try? book.take(
      message, id: rumor.id, from: author, to: identity, sent: rumor.event.createdAt, at: .now)
    signerEvents.tell(.statusChanged)
    if let place, let asked = (try? book.find(place.0, place.1, from: author)) ?? nil, asked.isNews(since: before ?? nil),
      mayTell(of: asked)
    {
      signerEvents.tell(.shareAsked(ShareAsked(asked)))
    }
    for envelope in envelopes ?? [] { send(envelope) }
  }

  /// Limits how often the owner is told of requests, by source, so that a flood hides no request of another source and no consent.
  /// `guardian requests` lists all.
  private func mayTell(of asked: ShareRequest) -> Bool {
    state.withLock { $0.told.take(asked, Self.toldPerHour, now: Clock.seconds) }
  }

  /// Each wrap is opened once, and no more wraps than this machine can open on the side.
  private func mayOpen(_ id: Bytes32) -> Bool {
    let (mayOpen, isTooFast) = state.withLock { state in
      if state.seen.count >= Self.mostSeen { state.seen = [] }
      guard !state.seen.contains(id) else { return (false, false) }
      guard state.pace.take(at: Clock.bootMilliseconds) else {
        defer { state.isReadingAgain = true }
        return (false, !state.isReadingAgain)
      }
      state.seen.insert(id)
      return (true, false)
    }
    if isTooFast { readAgainLater() }
    return mayOpen
  }

  private func readAgainLater() {
    let wait = state.withLock { state in
      defer { state.readingWait = min(2 * state.readingWait, Self.longestReadingWait) }
      return state.readingWait
    }
    _ = loop.after(milliseconds: wait) { [weak self] in
      guard let self else { return }
      state.change { $0.isReadingAgain = false }
      for lane in state.withLock({ Array($0.lanes.values) }) { lane.readAgain() }
    }
  }

  // MARK: out

  /// - Parameter done: called with whether a relay took it.
  /// - Returns: the id of the rumor. Nil if the envelope cannot be sealed now.
  @discardableResult
  package func send(_ envelope: GuardianEnvelope, done: @escaping @Sendable (Bool) -> Void = { _ in }) -> Bytes32? {
    guard let rumor = rumor(envelope) else {
      done(false)
      return nil
    }
    return send(rumor, envelope, done: done)
  }

  /// The envelope's message as a rumor, so that its id is known before it is sent.
  package func rumor(_ envelope: GuardianEnvelope) -> Rumor? {
    Rumor(
      UnsignedEvent(
        pubkey: envelope.from, createdAt: Clock.seconds, kind: GuardianMessage.kind, tags: [["p", envelope.to.hex]],
        content: envelope.message.content))
  }

  @discardableResult
  package func send(_ rumor: Rumor, _ envelope: GuardianEnvelope, done: @escaping @Sendable (Bool) -> Void) -> Bytes32? {
    var random = SystemRandomNumberGenerator()
    guard let author = keys.pair(for: envelope.from), let once = try? KeyPair(SecretKey.random()),
      let event = try? NIP59.wrap(
        rumor, by: author, for: envelope.to, times: .init(before: Clock.seconds, using: &random), wrapper: once)
    else {
      done(false)
      return nil
    }
    refresh()
    guard let lane = state.withLock({ $0.lanes[envelope.from] }) else {
      done(false)
      return nil
    }
    let targets = urls(book.relays(envelope.from, with: envelope.to).union(envelope.relays))
    lane.publish(event, to: Array(targets), refresh: { event }, done: done)
    return rumor.id
  }

  // MARK: time

  private func tick() {
    let isWaiting = (try? book.isWaiting()) ?? false
    let wait = isWaiting ? GuardianBook.noteEvery * 1000 : Self.longestTick
    _ = loop.after(milliseconds: Int(wait)) { [weak self] in
      guard let self else { return }
      workers.submitAlways { [weak self] in
        self?.giveDue()
        self?.repeatNotices()
        try? self?.book.noteTime(at: .now)
        try? self?.book.forgetOld(now: Clock.seconds)
      }
      tick()
    }
  }

  /// Tells owners again of requests that they can stop.
  private func repeatNotices() {
    let isDue = state.withLock { state in
      guard !sessionLock.isLocked, Clock.boot >= state.repeatAt else { return false }
      state.repeatAt = Clock.boot + Self.repeatEvery
      return true
    }
    guard isDue else { return }
    for envelope in (try? book.openNotices()) ?? [] { send(envelope) }
  }

  /// Sends what is due, after something was allowed, and checks again when the next request is due.
  package func look() {
    workers.submitAlways { [weak self] in
      guard let self else { return }
      giveDue()
      guard let wait = (try? book.nextDue(at: .now)) ?? nil, wait <= Self.longestTick else { return }  // a later one is set
      loop.post { [weak self] in
        _ = self?.loop.after(milliseconds: Int(max(0, wait)) + 100) { [weak self] in
          self?.workers.submitAlways { [weak self] in self?.giveDue() }
        }
      }
    }
  }

  private func giveDue() {
    guard !sessionLock.isLocked, let due = try? book.due(at: .now, canWrite: keys.isUsable) else { return }
    for (request, envelopes) in due {
      for envelope in envelopes {
        send(envelope) { [weak self] isTaken in
          guard let self else { return }
          if isTaken { return workers.submitAlways { [weak self] in try? self?.book.gave(request) } }
          _ = loop.after(milliseconds: Self.retryMilliseconds) { [weak self] in self?.look() }
        }
      }
    }
  }
}
