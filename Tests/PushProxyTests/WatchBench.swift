import Curve
import Encodings
import Nostr
import Platform
import Relays
import SecretMemory
import Sockets
import TestSupport
import Testing

@testable import PushProxy

/// Seconds since 1970, and milliseconds since some moment, that stand still until they are turned.
final class TurnedClock: Sendable {
  private let time = Locked<Int64>(1_700_000_000_000)
  var seconds: Int64 { milliseconds / 1_000 }
  var milliseconds: Int64 { time.withLock { $0 } }
  func advance(seconds: Int64) { time.withLock { $0 += 1_000 * seconds } }
}

enum Make {
  static func key(_ number: UInt8) throws -> KeyPair {
    try KeyPair(SecretKey(secret([UInt8](repeating: 0, count: 31) + [number + 1])))
  }

  /// A request as an app sends it.
  static func request(
    _ content: String = "c", by author: KeyPair, to signer: PublicKey, at time: Int64 = 1_700_000_000, kind: Int = 24133
  ) throws -> Event {
    try UnsignedEvent(pubkey: author.publicKey, createdAt: time, kind: kind, tags: [["p", signer.hex]], content: content)
      .signed(by: author)
  }

  /// The same event with a signature that is nobody's.
  static func forged(_ event: Event) -> Event {
    Event(
      id: event.id, pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags, content: event.content,
      signature: Signature(r: Bytes32(), s: Bytes32()))
  }
}

/// The real embedded relay on a port of this machine.
final class RelayServer: Sendable {
  let loop: EventLoop
  let relay: EmbeddedRelay
  private let listener: Listener

  init(_ time: TurnedClock) throws {
    loop = try EventLoop()
    let relay = EmbeddedRelay(
      hooks: .init(
        work: { _, job in
          job()
          return true
        }, deliver: { _, _ in }, now: { time.seconds }))
    self.relay = relay
    loop.start()
    listener = try loop.listen(.init(.tcp(host: "127.0.0.1", port: 0)), service: Service(upgrade: { relay.upgrade($0) }))
  }

  var url: WebSocketURL { get throws { try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.port)") } }
  /// Passes events on without checking them, as it does with its own signer's.
  func pass(_ events: [Event]) { for event in events { relay.publish(event) } }
  func stop() { loop.stop(within: 200) }
}

/// A relay that sends whatever it likes to each subscription, and notes the keys that it was asked for.
final class LyingRelay: WebSocketHandler {
  private let loop: EventLoop
  private let listener = Locked<Listener?>(nil)
  private let events: Locked<[Event]>
  let asked = Locked<[Filter]>([])
  let opened = Locked(0)
  let logins = Locked<[Event]>([])
  private let hangsUp: Bool
  private let challenge: String?
  /// With which it ends each subscription; nil if it takes them.
  let refusal = Locked<String?>(nil)
  /// Whether it says nothing to subscriptions.
  let isMute = Locked(false)
  private let connected = Locked<WebSocket?>(nil)

  init(_ events: [Event] = [], hangsUp: Bool = false, challenge: String? = nil) throws {
    (self.events, self.hangsUp, self.challenge) = (Locked(events), hangsUp, challenge)
    loop = try EventLoop()
    loop.start()
    let made = try loop.listen(
      .init(.tcp(host: "127.0.0.1", port: 0)),
      service: Service(upgrade: { [self] _ in .accept(self, WebSocketOptions(sendQueueBytes: 16 << 20)) }))
    listener.withLock { $0 = made }
  }

  var url: WebSocketURL { get throws { try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.withLock { $0?.port ?? 1 })") } }
  func stop() { loop.stop(within: 200) }
  /// Ends the last connection.
  func hangUp() { connected.withLock { $0 }?.close() }

  func opened(_ webSocket: WebSocket) {
    opened.withLock { $0 += 1 }
    connected.withLock { $0 = webSocket }
    if let challenge { webSocket.send(RelayMessage.auth(challenge: challenge).json()) }
    if hangsUp { webSocket.close() }
  }
  func received(_ webSocket: WebSocket, text: [UInt8]) {
    let message = try? ClientMessage(parsing: text)
    if case .auth(let event)? = message { logins.withLock { $0.append(event) } }
    guard case .request(let name, let filters)? = message else { return }
    asked.withLock { $0 += filters }
    if isMute.withLock({ $0 }) { return }
    if let refusal = refusal.withLock({ $0 }) {
      return _ = webSocket.send(RelayMessage.closed(subscription: name, message: refusal).json())
    }
    for event in events.withLock({ $0 }) { webSocket.send(RelayMessage.event(subscription: name, event).json()) }
    webSocket.send(RelayMessage.endOfStored(subscription: name).json())
  }
  func closed(_ webSocket: WebSocket, reason: CloseReason) {}
}

/// A watcher, and what it told.
final class WatchBench: Sendable {
  struct Woken: Sendable, Equatable {
    let event: Event
    let signer: PublicKey
    let relay: WebSocketURL
  }

  let time: TurnedClock
  let watcher: RequestWatcher
  let woken: Locked<[Woken]>
  private let loop: EventLoop

  /// - Parameters:
  ///   - isPaired: which authors count as the signers' apps.
  ///   - reading: called before the keys are told.
  init(
    _ time: TurnedClock, relays: [WebSocketURL], keys: Set<PublicKey>, named: [PublicKey: [WebSocketURL]] = [:],
    isPaired: @escaping @Sendable (PublicKey) -> Bool = { _ in true }, reachesInside: Bool = true,
    reading: @escaping @Sendable () -> Void = {}, change: (inout RequestWatcher.Options) -> Void = { _ in }
  ) throws {
    self.time = time
    loop = try EventLoop()
    loop.start()
    var options = RequestWatcher.Options(relays: Set(relays), identity: try Make.key(99))
    options.refreshMilliseconds = 1
    options.timing.firstReconnect = 2
    options.timing.longestReconnect = 4
    change(&options)
    let woken = Locked<[Woken]>([])
    self.woken = woken
    var hooks = RequestWatcher.Hooks(
      keys: {
        reading()
        return keys
      }, relays: { named }, isPaired: { author, _ in isPaired(author) }, now: { time.seconds },
      mayReachInside: { _ in reachesInside },
      wake: { found in
        woken.change { $0 += found.map { Woken(event: $0.event, signer: $0.signer, relay: $0.relay) } }
      })
    hooks.milliseconds = { time.milliseconds }
    watcher = RequestWatcher(loop: loop, options: options, hooks: hooks)
    watcher.refresh()
  }

  func stop() {
    watcher.stop()
    loop.stop(within: 200)
    withExtendedLifetime(watcher) {}
  }

  func waitUntilConnected(_ count: Int = 1) -> Bool { comesTrue { watcher.health.count { $0.state == .connected } == count } }
  func waitFor(received count: Int) -> Bool {
    comesTrue {
      let figures = watcher.figures; return figures.woken + figures.refused.values.reduce(0, +) == count
    }
  }
  var events: [Event] { woken.withLock { $0.map(\.event) } }
}
