import Curve
import JSON
import Nostr
import Observability
import OwnerAPI
import OwnerOperations
import Platform
import Relays
package import RemoteSigning
import Signer
import Sockets

/// All relays that the signer uses, embedded and outside. Events come in by one function and are published by one function.
package final class RelayHub: Sendable {
  typealias Intake = @Sendable (_ event: Event, _ origin: SigningService.Origin, _ isVerified: Bool, _ mayWait: Bool) -> Void

  // A closure that is itself the value of a `Locked` is wrapped once more at each access, until a call overflows the stack.
  private struct Taker: Sendable { let take: Intake }

  /// How long a new nostrconnect pairing waits for its relays. After that, the app is answered on those that are connected.
  private static let greetingMilliseconds = 5_000
  /// How long a new link is held back until its relays have subscribed its key.
  private static let listeningMilliseconds = 3_000
  /// The limits of one message from an outside relay and of bytes waiting to be sent to one: the same as of the embedded relay.
  private static let messageBytes = RelayLimits().messageBytes
  private static let sendQueueBytes = RelayLimits().sendQueueBytes
  /// The most keys that log in to one relay that asks for it.
  private static let mostLogins = 50

  private let engine: SigningEngine
  private let workers: Workers
  let endpoint: Endpoint
  private let pool: RelayPool
  private let outside: [WebSocketURL]
  private let intake: Locked<Taker?>
  /// Parsed addresses, since each answer needs those of its session.
  private let urls = Locked<[RelayURL: WebSocketURL]>([:])
  private static let mostURLs = 1_024
  /// When a push last had a relay asked again, in milliseconds. Relays of the vault alone.
  private let askedAnew = Locked<[WebSocketURL: Int64]>([:])
  /// How long a relay is not asked again for a push, in milliseconds.
  private static let pause: Int64 = 10_000
  /// Remarks for the owner about the addresses.
  let remarks: [String]

  init(
    _ options: UpOptions, _ engine: SigningEngine, _ meters: Meters, _ signerEvents: SignerEvents, _ loop: EventLoop,
    _ workers: Workers, _ round: RequestRound, _ monitoring: Monitoring
  ) throws(OperationError) {
    (self.engine, self.workers) = (engine, workers)
    let intake = Locked<Taker?>(nil)
    self.intake = intake
    outside = try Self.outside(options)
    let dispatcher = RequestDispatcher(workers, round, afterReading: { [loop] job in loop.post(job) })
    let work = { @Sendable (bytes: Int, job: @escaping @Sendable () -> Void) in
      let isQueued = dispatcher.submit(bytes: bytes, job)
      if !isQueued { meters.note { $0.queueFull += 1 } }
      return isQueued
    }
    let owners = Set(outside)
    endpoint = try Endpoint(
      options, loop, monitoring, work: work,
      deliver: { [loop] event, arrived in
        intake.withLock { $0 }?.take(event, .embedded(arrived: arrived), true, !loop.isLoopThread)
      },
      isUnheard: { engine.isUnheard($0, now: Clock.seconds) })
    remarks = endpoint.remarks
    pool = RelayPool(
      loop: loop,
      hooks: .init(
        deliver: { [loop] event, url, handled in
          let arrived = Clock.monotonicNanoseconds
          let isQueued = work(event.content.utf8.count) {
            intake.withLock { $0 }?.take(event, .relay(url, arrived: arrived), false, !loop.isLoopThread)
            handled()
          }
          if !isQueued { handled() }
        },
        authenticate: { url, challenge in
          let known = owners.contains(url) ? nil : Set(Self.fewerKeys(engine, owners)[url] ?? [])
          let keys = engine.transportKeys.filter { known?.contains($0.publicKey) ?? true }
          return keys.prefix(Self.mostLogins).compactMap { key in
            try? NIP42.event(relay: url.text, challenge: challenge, author: key.publicKey, now: Clock.seconds).signed(by: key)
          }
        }, now: { Clock.seconds }, changed: { _ in signerEvents.tell(.statusChanged) },
        mayReachInside: { url in Self.mayReachInside(url, owners, engine) }),
      options: ConnectOptions(webSocket: WebSocketOptions(messageBytes: Self.messageBytes, sendQueueBytes: Self.sendQueueBytes)))
  }

  /// Whether a relay may be inside the owner's network, because the owner named it or allowed it for an app.
  private static func mayReachInside(_ relay: WebSocketURL, _ owners: Set<WebSocketURL>, _ engine: SigningEngine) -> Bool {
    owners.contains(relay) || engine.relaysInside.contains { (try? WebSocketURL(parsing: $0.text)) == relay }
  }

  /// Subscribes again after the clock was set, because relays were asked for events since a wrong time.
  func listenAnew() { pool.subscribeAnew() }

  /// Subscribes again at one relay, because a push told of a request there. Anybody can send a push, so it is done once in a while.
  func listenAnew(at relay: WebSocketURL) {
    let now = Clock.monotonicMilliseconds
    let isDue = askedAnew.withLock { asked in
      guard asked[relay].map({ now - $0 >= Self.pause }) ?? true else { return false }
      asked[relay] = now
      return true
    }
    if isDue { pool.subscribeAnew(at: relay) }
  }

  /// Begins to take requests.
  func begin(_ body: @escaping Intake) {
    intake.withLock { $0 = Taker(take: body) }
    refresh()
  }

  /// Called when links, pairings or their relays changed.
  func refresh() {
    endpoint.setApps(Set(engine.pairings.map(\.client)))
    let owners = Set(outside)
    pool.setKeys(engine.remoteSigners.sorted(), at: owners, only: Self.fewerKeys(engine, owners))
    let used = owners.union(engine.relays.compactMap { url($0) })
    // Relays of ended pairings: their apps may still be there. They are kept for a day, as long as there is room.
    let former = Set(engine.formerRelays(now: Clock.seconds).compactMap { url($0) }).subtracting(used).sorted {
      $0.text < $1.text
    }
    let wanted = used.union(former.prefix(max(0, RelayPool.maximumRelays - used.count)))
    pool.setRelays(wanted.filter { $0 != endpoint.relayURL }, first: owners)
  }

  /// The keys for relays that the owner did not choose but an app's link named.
  private static func fewerKeys(_ engine: SigningEngine, _ owners: Set<WebSocketURL>) -> [WebSocketURL: [PublicKey]] {
    var found: [WebSocketURL: Set<PublicKey>] = [:]
    for (relay, keys) in engine.remoteSignersByRelay {
      guard let url = try? WebSocketURL(parsing: relay.text), !owners.contains(url) else { continue }
      found[url, default: []].formUnion(keys)
    }
    return found.mapValues { $0.sorted() }
  }

  /// Takes no more requests. Answers are still sent.
  func stopTaking() {
    intake.withLock { $0 = nil }
    endpoint.stopTaking()
  }

  /// Waits until the relays have accepted the last answers, but at most so many milliseconds. If a connection is closed while its
  /// relay has something to say, what was just sent may be lost.
  func settle(milliseconds: Int) {
    let isSettled = Locked(false)
    pool.whenSettled(within: milliseconds) { isSettled.change { $0 = true } }
    _ = isSettled.wait(milliseconds: milliseconds) { $0 ? true : nil }
  }

  // MARK: out

  /// Publishes an answer where its request came from and on the session's relays.
  func publish(
    _ reply: Reply, _ origin: SigningService.Origin?, _ relays: [RelayURL], _ done: @escaping @Sendable (Bool) -> Void
  ) {
    var urls = Set(relays.compactMap { url($0) })
    if let relay = origin?.relay { urls.insert(relay) }
    publish(
      reply.event, to: urls, alsoHere: origin != nil && origin?.relay == nil,
      refresh: { [engine] in engine.refreshed(reply, now: Clock.seconds) }, done)
  }

  private func publish(
    _ event: Event, to urls: Set<WebSocketURL>, alsoHere: Bool, refresh: @escaping @Sendable () -> Event?,
    _ done: @escaping @Sendable (Bool) -> Void
  ) {
    let away = urls.filter { $0 != endpoint.relayURL }
    let isTakenHere = (alsoHere || away.count < urls.count) && endpoint.publish(event)
    if isTakenHere { done(true) }
    guard !away.isEmpty else { return isTakenHere ? () : done(false) }
    pool.publish(event, to: Array(away), refresh: refresh) { taken in if !isTakenHere { done(taken) } }
  }

  /// Answers an app that showed a `nostrconnect://` link. It subscribes before it answers, because the app's requests follow at
  /// once.
  func greet(_ uri: NostrConnectURI, signer: KeyPair) {
    let urls = Set(uri.relays.compactMap { url($0) })
    let (engine, workers) = (engine, workers)
    pool.whenSubscribed(Array(urls.filter { $0 != endpoint.relayURL }), within: Self.greetingMilliseconds) { [weak self] in
      workers.submitAlways { [weak self] in
        @Sendable func answer() -> Event? {
          engine.connectResponse(to: uri, signer: signer, requestID: .fresh(), now: Clock.seconds)
        }
        guard let event = answer() else { return }
        self?.publish(event, to: urls, alsoHere: false, refresh: { answer() }) { _ in }
      }
    }
  }

  /// Calls `ready` once each of these relays has subscribed the present keys, with the relays that have not: they are away, or
  /// too slow.
  func whenListening(on relays: [RelayURL], _ ready: @escaping @Sendable (_ deaf: [RelayURL]) -> Void) {
    let away = Set(pool.health().filter { $0.state == .waiting }.compactMap { try? WebSocketURL(parsing: $0.url) })
    let asked = relays.compactMap { url($0) }.filter { $0 != endpoint.relayURL && !away.contains($0) }
    pool.whenSubscribed(asked, within: Self.listeningMilliseconds) { [weak self] in
      guard let self else { return ready([]) }
      ready(relays.filter { self.url($0).map { $0 != self.endpoint.relayURL && !self.pool.isSubscribed(to: $0) } ?? true })
    }
  }

  /// The same, but waits.
  /// - Returns: the relays that have not subscribed them.
  package func waitForListening(on relays: [RelayURL]) -> [RelayURL] {
    let answer = Locked<[RelayURL]?>(nil)
    whenListening(on: relays) { deaf in answer.change { $0 = deaf } }
    return answer.wait(milliseconds: Self.listeningMilliseconds) { $0 } ?? relays
  }

  // MARK: state

  /// The relays that a new link names. Outside relays come first, because an app on another machine reaches only them.
  var linkRelays: [RelayURL] {
    Array(ownersRelays.prefix(BunkerURI.maximumRelays))
  }

  /// All relays the owner chose: those of the settings, and the embedded one.
  var ownersRelays: [RelayURL] { (outside + [endpoint.relayURL].compactMap { $0 }).compactMap { RelayURL($0.text) } }

  /// The embedded relay, or else the first outside relay.
  var nearestRelay: WebSocketURL? { endpoint.relayURL ?? outside.first }

  /// The address of the console.
  var consoleAddress: String { endpoint.address }

  /// The state of every relay.
  func health() -> [RelayStatus] {
    let (owners, engine, relays) = (Set(outside), engine, pool.health())
    let users = relays.allSatisfy { $0.state == .connected } ? [:] : usersByRelay(engine)
    return endpoint.health()
      + relays.map { health in
        let url = try? WebSocketURL(parsing: health.url)
        return RelayStatus(
          health, mayBeInside: url.map { Self.mayReachInside($0, owners, engine) } ?? false,
          isNamedAtStart: url.map { owners.contains($0) } ?? false,
          users: health.state == .connected ? [] : url.flatMap { users[$0] } ?? [])
      }
  }

  /// The paired apps that cannot reach this signer, because every try to connect to each of their relays fails.
  func unreachedApps() -> [UnreachedApp] {
    let away = Set(
      pool.health().filter { $0.state != .connected && $0.awaySince != nil }.compactMap { try? WebSocketURL(parsing: $0.url) })
    guard !away.isEmpty else { return [] }
    return UnreachedApp.all(of: engine.pairings) { relay in url(relay).map { away.contains($0) } ?? false }
  }

  /// The keys of present pairings and links by the relays that they name.
  private func usersByRelay(_ engine: SigningEngine) -> [WebSocketURL: [PublicKey]] {
    let present = Set(engine.pairings.map(\.remoteSigner)).union(engine.openLinks.map(\.remoteSigner))
    var found: [WebSocketURL: [PublicKey]] = [:]
    for (relay, keys) in engine.remoteSignersByRelay {
      guard let url = url(relay) else { continue }
      found[url, default: []] += keys.filter(present.contains)
    }
    return found
  }

  /// The outside relays as observed.
  var observedRelays: [Observation.Relay] {
    let owners = Set(outside)
    return pool.health().map { health in
      .init(health: health, isOwners: (try? WebSocketURL(parsing: health.url)).map { owners.contains($0) } ?? false)
    }
  }

  /// The embedded relay's clients; nil without one.
  var observedClients: Observation.Embedded? { endpoint.clients }

  private func url(_ relay: RelayURL) -> WebSocketURL? {
    if let known = urls.withLock({ $0[relay] }) { return known }
    guard let url = try? WebSocketURL(parsing: relay.text) else { return nil }
    urls.withLock { urls in
      if urls.count >= Self.mostURLs { urls = [:] }
      urls[relay] = url
    }
    return url
  }

  private static func outside(_ options: UpOptions) throws(OperationError) -> [WebSocketURL] {
    var urls: [WebSocketURL] = []
    for text in options.relays {
      do { urls.append(try WebSocketURL(parsing: text)) } catch {
        throw .usage("A relay given with --relay is not a ws:// or wss:// address (\(error)).")
      }
    }
    guard options.embeddedRelay || !urls.isEmpty else {
      throw .usage("Without the built-in relay, give at least one --relay.")
    }
    return urls
  }
}
