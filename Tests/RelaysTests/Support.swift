import Curve
import Encodings
import Foundation
import Nostr
import Platform
import SecretMemory
import Sockets
import Testing

@testable import Relays

/// A clock for tests: stands still until it is turned.
final class TestClock: Sendable {
  private let time: Locked<Int64>
  init(_ seconds: Int64 = 1_700_000_000) { time = Locked(seconds * 1_000) }
  func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  var seconds: Int64 { time.withLock { $0 } / 1_000 }
  var milliseconds: Int64 { time.withLock { $0 } }
}

/// Two workers, as the daemon has.
final class Workers: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isOver = false
  }
  private let state = Locked(State())

  init(_ count: Int = 2) {
    for _ in 0..<count {
      Thread.detachNewThread { [state] in
        while let job = state.wait(until: { state -> (@Sendable () -> Void)?? in
          if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
          return state.isOver ? .some(nil) : nil
        }) ?? nil { job() }
      }
    }
  }

  deinit { stop() }
  func stop() { state.change { $0.isOver = true } }
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    state.change { $0.jobs.append(job) }
    return true
  }
}

/// An embedded relay on a loopback port.
final class RelayServer: Sendable {
  let loop: EventLoop
  let relay: EmbeddedRelay
  let listener: Listener
  let delivered = Locked<[Event]>([])

  init(
    _ limits: RelayLimits = RelayLimits(), login: EmbeddedRelay.Login? = nil, time: TestClock = TestClock(), port: UInt16 = 0,
    loop: EventLoop? = nil, work: (@Sendable (Int, @escaping @Sendable () -> Void) -> Bool)? = nil,
    isUnheard: @escaping @Sendable (Event) -> Bool = { _ in true }
  ) throws {
    let own = try loop ?? EventLoop()
    self.loop = own
    let workers = Workers()
    let relay = EmbeddedRelay(
      limits: limits,
      hooks: .init(
        work: work ?? { _, job in workers.run(job) }, deliver: { [delivered] event, _ in delivered.change { $0.append(event) } },
        now: { time.seconds }, isUnheard: isUnheard), login: login, clock: { time.milliseconds })
    self.relay = relay
    own.start()
    listener = try own.listen(
      .init(.tcp(host: "127.0.0.1", port: port)), service: Service(upgrade: { relay.upgrade($0) }))
  }

  var url: WebSocketURL { get throws { try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.port)") } }

  func stop() { loop.stop(within: 200) }

  /// Asks until the relay's numbers are as wanted; false after 20 seconds.
  func waitUntil(_ condition: @escaping @Sendable (EmbeddedRelay) -> Bool) -> Bool {
    let holds = Locked(false)
    @Sendable func ask() {
      if condition(relay) { return holds.change { $0 = true } }
      loop.after(milliseconds: 5, ask)
    }
    loop.post(ask)
    return holds.wait(milliseconds: 20_000) { $0 ? true : nil } ?? false
  }
}

/// A client that says what it is told and notes what it hears.
final class TestClient: WebSocketHandler {
  struct Log {
    var isOpen = false
    var messages: [RelayMessage] = []
    var end: CloseReason?
  }
  let log = Locked(Log())
  private let socket = Locked<WebSocket?>(nil)

  init(_ loop: EventLoop, _ url: WebSocketURL, sendQueueBytes: Int = 64 << 20, mustOpen: Bool = true) throws {
    let socket = loop.connect(
      to: url, options: .init(webSocket: .init(messageBytes: 1 << 20, sendQueueBytes: sendQueueBytes)), handler: self)
    self.socket.withLock { $0 = socket }
    guard mustOpen else { return }
    try #require(log.wait(milliseconds: 20_000) { $0.isOpen ? true : nil } == true)
  }

  func opened(_ webSocket: WebSocket) { log.change { $0.isOpen = true } }
  func received(_ webSocket: WebSocket, text: [UInt8]) {
    guard let message = try? RelayMessage(parsing: text) else {
      Issue.record("not a relay message")
      return
    }
    log.change { $0.messages.append(message) }
  }
  func closed(_ webSocket: WebSocket, reason: CloseReason) { log.change { $0.end = reason } }

  func say(_ message: ClientMessage) { say(message.json()) }
  func say(_ text: String) { say(Array(text.utf8)) }
  func say(_ text: [UInt8]) { socket.withLock { $0 }?.send(text) }
  func hangUp() { socket.withLock { $0 }?.close() }

  func wait<Result>(_ find: @escaping (RelayMessage) -> Result?) -> Result? {
    log.wait(milliseconds: 20_000) { log in
      for message in log.messages { if let result = find(message) { return result } }
      return nil
    }
  }

  /// The answer to an event.
  func ok(_ id: Bytes32) -> (accepted: Bool, message: String)? {
    wait { if case .ok(id, let accepted, let message) = $0 { (accepted, message) } else { nil } }
  }
  func closedText(_ subscription: String) -> String? {
    wait { if case .closed(subscription, let message) = $0 { message } else { nil } }
  }
  func endOfStored(_ subscription: String) -> Bool {
    wait { if case .endOfStored(subscription) = $0 { true } else { nil } } ?? false
  }
  func event(_ id: Bytes32) -> Event? { wait { if case .event(_, let event) = $0, event.id == id { event } else { nil } } }
  var events: [Event] {
    log.withLock { $0.messages.compactMap { if case .event(_, let event) = $0 { event } else { nil } } }
  }
  func notice() -> String? { wait { if case .notice(let text) = $0 { text } else { nil } } }
  func challenge() -> String? { wait { if case .auth(let challenge) = $0 { challenge } else { nil } } }

  /// Subscribes to what is addressed to `key` and waits until that holds.
  func listen(_ key: PublicKey, subscription: String = "s", limit: Int? = 0) -> Bool {
    say(
      .request(subscription: subscription, filters: [Filter(kinds: [24133], limit: limit, tags: ["p": [key.hex]])]))
    return endOfStored(subscription)
  }
}

enum Make {
  static func key(_ number: Int) -> KeyPair {
    let bytes = [UInt8](repeating: 0, count: 24) + (0..<8).reversed().map { UInt8((number + 1) >> (8 * $0) & 0xFF) }
    return try! bytes.withUnsafeBytes { try KeyPair(SecretKey(SecretBytes(copying: $0))) }
  }

  static func event(
    by author: KeyPair = key(0), to recipient: PublicKey = key(1).publicKey, at time: Int64 = 1_700_000_000, kind: Int = 24133,
    tags: [[String]]? = nil, content: String = "c"
  ) -> Event {
    try! UnsignedEvent(
      pubkey: author.publicKey, createdAt: time, kind: kind, tags: tags ?? [["p", recipient.hex]], content: content
    ).signed(by: author)
  }

  /// Looks like an event, but nobody signed it.
  static func junk(
    _ number: Int, author: Int = 0, to recipient: PublicKey = key(1).publicKey, at time: Int64 = 1_700_000_000
  ) -> Event {
    let id = Bytes32([UInt8](repeating: 7, count: 24) + (0..<8).map { UInt8(number >> (8 * $0) & 0xFF) }) ?? Bytes32()
    let pubkey = Bytes32([UInt8](repeating: 9, count: 24) + (0..<8).map { UInt8(author >> (8 * $0) & 0xFF) }) ?? Bytes32()
    return Event(
      id: id, pubkey: PublicKey(pubkey), createdAt: time, kind: 24133, tags: [["p", recipient.hex]], content: "junk",
      signature: Signature(r: Bytes32(), s: Bytes32()))
  }
}
