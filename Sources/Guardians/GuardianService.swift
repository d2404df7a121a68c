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

/// Carries letters between owners, guardians and those who ask: gift wraps (NIP-59) on relays.
///
/// Each identity has connections of its own: no relay is told by a subscription or a login that two are one person's. Nothing is connected
/// for an identity that has nothing to do with guardians, nor while its key may not be used, because the signer is locked or the key wants
/// its owner each time: its letters wait at the relays.
package final class GuardianService: Sendable {
  private struct State {
    /// One for each identity that was ever listened for; without relays once it is not.
    var lanes: [PublicKey: RelayPool] = [:]
    /// Wraps that were opened, or tried, since the start or the last unlocking.
    var seen: Set<Bytes32> = []
    var pace = EnvelopeLimiter()
    var isReadingAgain = false
    var told = HourlyLimit()
  }

  /// Wraps are dated back by up to two days, and somebody may have been away.
  private static let lookBack: Int64 = NIP59.longestBackdating + 14 * 24 * 3600
  /// So long after letters came too fast, what was left is asked for again, in milliseconds.
  private static let readAgainAfter = 60_000
  private static let mostSeen = 20_000
  /// Requests for shares that the owner is told of in an hour.
  private static let toldPerHour = 12
  private static let retryMilliseconds = 10_000
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

  /// - Parameter relays: those the owner named for the signer.
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

  /// Writes down the logins of hours that are over. For the upkeep.
  package func recordLogins() { logins.record(now: Clock.boot) }

  // MARK: relays

  /// Guardians, requests, identities or what may be used of them changed: relays may have to be connected or left.
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
    // What came and could not be read is asked for when the identity is back.
    for lane in left.values { lane.setRelays([]) }
  }

  /// Connections that name one identity.
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
        // A relay that shows gift wraps to their readers only wants to know who reads.
        authenticate: { url, challenge in
          guard let key = keys.pair(for: identity) else { return [] }
          let login = NIP42.event(relay: url.text, challenge: challenge, author: identity, now: Clock.seconds)
          return logins.sign(login, at: url, with: key, now: Clock.boot).map { [$0] } ?? []
        }, now: { Clock.seconds },
        // All of them were named by the person here; letters name none.
        mayReachInside: { _ in true }), subscription: .init(kinds: [NIP59.wrapKind], lookBack: Self.lookBack))
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

  /// Connects anew what may be read, and asks again for what could not be read before.
  package func readAgain() {
    state.change { $0.seen = [] }
    refresh()
    for lane in state.withLock({ Array($0.lanes.values) }) { lane.readAgain() }
  }

  // MARK: keys that want their owner

  /// The owner showed who he is: letters of an identity whose key is never kept are read and written for a while.
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
    let before = try? place.flatMap { try book.find($0.0, $0.1) }
    let letters = try? book.take(
      message, id: rumor.id, from: rumor.event.pubkey, to: identity, sent: rumor.event.createdAt, at: .now)
    signerEvents.tell(.statusChanged)
    if before == nil, let place, let asked = (try? book.find(place.0, place.1)) ?? nil, mayTell() {
      signerEvents.tell(
        .shareAsked(ShareAsked(name: asked.name, kit: "\(asked.kit)", isKeptHere: asked.part != .owner)))
    }
    for letter in letters ?? [] { send(letter) }
  }

  /// Requests are told to the owner this often; a stranger can send more, and `guardian requests` lists them.
  private func mayTell() -> Bool {
    state.withLock { $0.told.take(Self.toldPerHour, now: Clock.seconds) }
  }

  /// Each wrap is opened once, and no more of them than this machine does on the side.
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
    if isTooFast {
      loop.post { [weak self] in
        _ = self?.loop.after(milliseconds: Self.readAgainAfter) { [weak self] in
          guard let self else { return }
          state.change { $0.isReadingAgain = false }
          for lane in state.withLock({ Array($0.lanes.values) }) { lane.readAgain() }
        }
      }
    }
    return mayOpen
  }

  // MARK: out

  /// - Parameter done: whether a relay took it.
  /// - Returns: the id of the rumor; nil when it cannot be sealed now.
  @discardableResult
  package func send(_ letter: GuardianEnvelope, done: @escaping @Sendable (Bool) -> Void = { _ in }) -> Bytes32? {
    guard let rumor = rumor(letter) else {
      done(false)
      return nil
    }
    return send(rumor, letter, done: done)
  }

  /// The letter as a rumor, so that its id is known before it leaves.
  package func rumor(_ letter: GuardianEnvelope) -> Rumor? {
    Rumor(
      UnsignedEvent(
        pubkey: letter.from, createdAt: Clock.seconds, kind: GuardianMessage.kind, tags: [["p", letter.to.hex]],
        content: letter.message.content))
  }

  @discardableResult
  package func send(_ rumor: Rumor, _ letter: GuardianEnvelope, done: @escaping @Sendable (Bool) -> Void) -> Bytes32? {
    var random = SystemRandomNumberGenerator()
    guard let author = keys.pair(for: letter.from), let once = try? KeyPair(SecretKey.random()),
      let event = try? NIP59.wrap(
        rumor, by: author, for: letter.to, times: .init(before: Clock.seconds, using: &random), wrapper: once)
    else {
      done(false)
      return nil
    }
    refresh()
    guard let lane = state.withLock({ $0.lanes[letter.from] }) else {
      done(false)
      return nil
    }
    let targets = urls(book.relays(letter.from, with: letter.to).union(letter.relays))
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
        try? self?.book.noteTime(at: .now)
        try? self?.book.forgetOld(now: Clock.seconds)
      }
      tick()
    }
  }

  /// Something was allowed: gives what is due, and looks again when the next is.
  package func look() {
    workers.submitAlways { [weak self] in
      guard let self else { return }
      giveDue()
      guard let wait = (try? book.nextDue(at: .now)) ?? nil, wait <= Self.longestTick else { return }  // a later look comes first
      loop.post { [weak self] in
        _ = self?.loop.after(milliseconds: Int(max(0, wait)) + 100) { [weak self] in
          self?.workers.submitAlways { [weak self] in self?.giveDue() }
        }
      }
    }
  }

  private func giveDue() {
    guard !sessionLock.isLocked, let due = try? book.due(at: .now, canWrite: keys.isUsable) else { return }
    for (request, letters) in due {
      for letter in letters {
        send(letter) { [weak self] isTaken in
          guard let self else { return }
          if isTaken { return workers.submitAlways { [weak self] in try? self?.book.gave(request) } }
          _ = loop.after(milliseconds: Self.retryMilliseconds) { [weak self] in self?.look() }
        }
      }
    }
  }
}
