internal import Curve
internal import Encodings
internal import Locks
internal import Nostr
internal import Relays
internal import RemoteSigning
internal import Sockets
internal import Vault

/// Carries letters between owners, guardians and those who ask: gift wraps (NIP-59) on relays of their own connections.
///
/// Nothing is connected while guardians are not used. Letters are opened and sealed with the identities' keys: while the signer is
/// locked they wait at the relays.
final class GuardianService: Sendable {
  private struct State {
    /// Wraps that were opened, or tried, since the start or the last unlocking.
    var seen: Set<Bytes32> = []
    var opened = 0
    var hour: Int64 = 0
    var isTicking = false
  }

  /// Wraps are dated back by up to two days, and somebody may have been away.
  private static let lookBack: Int64 = NIP59.longestBackdating + 14 * 24 * 3600
  /// Wraps that are opened in an hour; further ones are asked for again later.
  private static let mostInAnHour = 2_000
  private static let mostSeen = 20_000
  private static let retryMilliseconds = 10_000
  private static let longestTick: Int64 = 3_600

  let book: GuardianBook
  private let core: Core
  private let loop: EventLoop
  private let workers: Workers
  private let pool: RelayPool
  private let owners: Set<WebSocketURL>
  private let state = Locked(State())
  private let receiver: Locked<Receiver>

  // Wrapped: a closure must not be the value of a `Locked`.
  private struct Receiver: Sendable { var take: @Sendable (Event) -> Void = { _ in } }

  /// - Parameter relays: those the owner named for the signer.
  init(_ core: Core, _ loop: EventLoop, _ workers: Workers, relays: [String]) {
    (self.core, self.loop, self.workers) = (core, loop, workers)
    book = core.guardians
    owners = Set(relays.compactMap { try? WebSocketURL(parsing: $0) })
    let receiver = Locked(Receiver())
    self.receiver = receiver
    let (identities, gate) = (core.identities, core.gate)
    pool = RelayPool(
      loop: loop,
      hooks: .init(
        deliver: { event, _, handled in
          let isQueued = workers.submit {
            receiver.withLock { $0 }.take(event)
            handled()
          }
          if !isQueued { handled() }
        },
        // A relay that shows gift wraps to their readers only wants to know who reads.
        authenticate: { url, challenge in
          guard !gate.isLocked else { return [] }
          return identities.all.compactMap { identity in
            guard let key = try? identities.keyPair(for: identity.publicKey) else { return nil }
            return try? NIP42.event(relay: url.text, challenge: challenge, author: key.publicKey, now: Clock.seconds).signed(
              by: key)
          }
        }, now: { Clock.seconds }), subscription: .init(kinds: [NIP59.wrapKind], lookBack: Self.lookBack))
  }

  func begin() {
    receiver.change { $0.take = { [weak self] event in self?.take(event) } }
    core.happenings.subscribe { [weak self] happening in
      switch happening {
      case .lockChanged: self?.unlockedPerhaps()
      case .identitiesChanged: self?.refresh()
      default: break
      }
    }
    refresh()
    tick()
  }

  func stop() { receiver.change { $0.take = { _ in } } }

  /// Guardians, requests or identities changed: relays may have to be connected or left.
  func refresh() {
    guard book.isInUse else { return pool.setRelays([]) }
    pool.setKeys(core.identities.all.map(\.publicKey).sorted())
    pool.setRelays(urls(book.relays), first: owners)
  }

  private func urls(_ relays: some Sequence<String>) -> Set<WebSocketURL> {
    owners.union(relays.compactMap { try? WebSocketURL(parsing: $0) })
  }

  /// What could not be opened while locked is asked for again.
  private func unlockedPerhaps() {
    guard !core.gate.isLocked, book.isInUse else { return }
    state.withLock { $0.seen = [] }
    pool.subscribeAnew()
    workers.submitAlways { [weak self] in self?.giveDue() }
  }

  // MARK: in

  private func take(_ event: Event) {
    guard event.kind == NIP59.wrapKind, !core.gate.isLocked, mayOpen(event.id, now: Clock.seconds) else { return }
    let readers = event.tagValues("p")
    for identity in core.identities.all where readers.contains(identity.publicKey.hex) {
      guard let key = try? core.identities.keyPair(for: identity.publicKey), let rumor = try? NIP59.open(event, with: key),
        rumor.event.kind == GuardianMessage.kind, let message = GuardianMessage(rumor.event.content)
      else { continue }
      let letters = try? book.take(
        message, id: rumor.id, from: rumor.event.pubkey, to: identity.publicKey, sent: rumor.event.createdAt, now: Clock.seconds)
      core.happenings.tell(.statusChanged)
      for letter in letters ?? [] { send(letter) }
    }
  }

  /// Each wrap is opened once, and no more in an hour than a person has messages.
  private func mayOpen(_ id: Bytes32, now: Int64) -> Bool {
    state.withLock { state in
      if state.seen.count >= Self.mostSeen { state.seen = [] }
      if now / 3600 != state.hour { (state.hour, state.opened) = (now / 3600, 0) }
      guard state.opened < Self.mostInAnHour, state.seen.insert(id).inserted else { return false }
      state.opened += 1
      return true
    }
  }

  // MARK: out

  /// - Parameter done: whether a relay took it.
  /// - Returns: the id of the rumor; nil when it cannot be sealed now.
  @discardableResult
  func send(_ letter: GuardianLetter, done: @escaping @Sendable (Bool) -> Void = { _ in }) -> Bytes32? {
    guard let rumor = rumor(letter) else {
      done(false)
      return nil
    }
    return send(rumor, letter, done: done)
  }

  /// The letter as a rumor, so that its id is known before it leaves.
  func rumor(_ letter: GuardianLetter) -> Rumor? {
    Rumor(
      UnsignedEvent(
        pubkey: letter.from, createdAt: Clock.seconds, kind: GuardianMessage.kind, tags: [["p", letter.to.hex]],
        content: letter.message.content))
  }

  @discardableResult
  func send(_ rumor: Rumor, _ letter: GuardianLetter, done: @escaping @Sendable (Bool) -> Void) -> Bytes32? {
    var random = SystemRandomNumberGenerator()
    guard let author = try? core.identities.keyPair(for: letter.from), let once = try? KeyPair(SecretKey.random()),
      let event = try? NIP59.wrap(
        rumor, by: author, for: letter.to, times: .init(before: Clock.seconds, using: &random), wrapper: once)
    else {
      done(false)
      return nil
    }
    refresh()
    let targets = Array(urls(Array(book.relays) + letter.relays))
    pool.publish(event, to: targets, refresh: { event }, done: done)
    return rumor.id
  }

  // MARK: time

  private func tick() {
    let now = Clock.seconds
    let next = (try? book.nextDue()) ?? nil
    let wait = min(max(1, (next ?? now + Self.longestTick) - now), Self.longestTick)
    _ = loop.after(milliseconds: Int(wait) * 1000) { [weak self] in
      guard let self else { return }
      workers.submitAlways { [weak self] in
        self?.giveDue()
        try? self?.book.forgetOld(now: Clock.seconds)
      }
      tick()
    }
  }

  /// Something was allowed: look when it is due.
  func look() {
    workers.submitAlways { [weak self] in self?.giveDue() }
    loop.post { [weak self] in self?.tickSoon() }
  }

  private func tickSoon() {
    guard let next = (try? book.nextDue()) ?? nil else { return }
    let wait = max(0, next - Clock.seconds)
    guard wait <= Self.longestTick else { return }  // the hourly look comes first
    _ = loop.after(milliseconds: Int(wait) * 1000 + 100) { [weak self] in
      guard let self else { return }
      workers.submitAlways { [weak self] in self?.giveDue() }
    }
  }

  private func giveDue() {
    guard !core.gate.isLocked, let due = try? book.due(now: Clock.seconds) else { return }
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
