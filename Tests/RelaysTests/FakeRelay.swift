import Curve
import Encodings
import Foundation
import Nostr
import Platform
import Sockets
import Testing

@testable import Relays

/// A relay that answers as the test's script says.
final class FakeRelay: WebSocketHandler {
  typealias Script = @Sendable (_ message: ClientMessage, _ count: Int, _ socket: WebSocket) -> [RelayMessage]

  let loop: EventLoop
  let heard = Locked<[ClientMessage]>([])
  let connects = Locked(0)
  private let greeting: @Sendable (Int, WebSocket) -> [RelayMessage]
  private let script: Script
  private let listener = Locked<Listener?>(nil)

  init(greeting: @escaping @Sendable (Int, WebSocket) -> [RelayMessage] = { _, _ in [] }, _ script: @escaping Script) throws {
    loop = try EventLoop()
    self.greeting = greeting
    self.script = script
    loop.start()
    let listener = try loop.listen(
      .init(.tcp(host: "127.0.0.1", port: 0)),
      service: Service(upgrade: { [self] _ in .accept(self, WebSocketOptions(sendQueueBytes: 16 << 20)) }))
    self.listener.withLock { $0 = listener }
  }

  var url: WebSocketURL {
    get throws { try WebSocketURL(parsing: "ws://127.0.0.1:\(listener.withLock { $0?.port ?? 1 })") }
  }

  func opened(_ webSocket: WebSocket) {
    let number = connects.change { count in
      count += 1
      return count
    }
    for message in greeting(number, webSocket) { webSocket.send(message.json()) }
  }

  func received(_ webSocket: WebSocket, text: [UInt8]) {
    guard let message = try? ClientMessage(parsing: text) else {
      Issue.record("not a client message")
      return
    }
    let count = heard.change { heard in
      heard.append(message)
      return heard.count
    }
    for answer in script(message, count, webSocket) { webSocket.send(answer.json()) }
  }

  func closed(_ webSocket: WebSocket, reason: CloseReason) {}

  func stop() { loop.stop(within: 100) }

  var events: [Event] { heard.withLock { $0.compactMap { if case .event(let event) = $0 { event } else { nil } } } }

  /// Says EOSE to a subscription and OK to an event.
  static let friendly: Script = { message, _, _ in
    switch message {
    case .event(let event), .auth(let event): [.ok(id: event.id, accepted: true, message: "")]
    case .request(let subscription, _): [.endOfStored(subscription: subscription)]
    case .close: []
    }
  }
}

/// A pool with what it was told.
final class PoolBench: Sendable {
  struct Log {
    var events: [(event: Event, from: WebSocketURL)] = []
    var unhandled: [@Sendable () -> Void] = []
  }
  let loop: EventLoop
  let pool: RelayPool
  let log: Locked<Log>
  /// How often the pool said that a relay came or went.
  let changes = Locked(0)

  init(
    handles: Bool = true, subscription: RelayPool.Subscription = .remoteSigning,
    change: (inout PoolTiming) -> Void = { _ in }
  ) throws {
    let now: @Sendable () -> Int64 = { 1_700_000_000 }
    loop = try EventLoop()
    loop.start()
    let log = Locked(Log())
    self.log = log
    var timing = PoolTiming()
    timing.firstReconnect = 20
    timing.longestReconnect = 100
    timing.retries = [5, 10, 20, 40, 80]
    timing.jitter = { 0.5 }
    change(&timing)
    pool = RelayPool(
      loop: loop,
      hooks: .init(
        deliver: { event, url, handled in
          log.change { log in
            log.events.append((event, url))
            if !handles { log.unhandled.append(handled) }
          }
          if handles { handled() }
        },
        authenticate: { relay, challenge in
          [1, 2].compactMap { number in
            let key = Make.key(number)
            return try? NIP42.event(relay: relay.text, challenge: challenge, author: key.publicKey, now: now()).signed(by: key)
          }
        }, now: now, changed: { [changes] _ in changes.change { $0 += 1 } }, mayReachInside: { _ in true }), timing: timing,
      subscription: subscription)
    pool.setKeys([Make.key(1).publicKey])
  }

  func stop() { loop.stop(within: 100) }

  func waitForEvents(_ count: Int) -> [Event]? {
    log.wait(milliseconds: 20_000) { $0.events.count >= count ? $0.events.map(\.event) : nil }
  }

  func waitUntilSubscribed(_ urls: [WebSocketURL]) -> Bool {
    waitForHealth { health in urls.allSatisfy { url in health.contains { $0.url == url.text && $0.state == .connected } } }
      && subscribed(urls)
  }

  private func subscribed(_ urls: [WebSocketURL]) -> Bool {
    let isReady = Locked(false)
    pool.whenSubscribed(urls, within: 20_000) { isReady.change { $0 = true } }
    return isReady.wait(milliseconds: 25_000) { $0 ? true : nil } ?? false
  }

  func waitForHealth(_ condition: @escaping @Sendable ([RelayHealth]) -> Bool) -> Bool {
    loop.waits { [pool] in condition(pool.health()) }
  }

  /// Publishes an event that gets a new content each time it is made; gives the outcome.
  func publish(to urls: [WebSocketURL]) -> Bool? {
    let outcome = Locked<Bool?>(nil)
    let number = Locked(0)
    let make: @Sendable () -> Event = {
      let attempt = number.withLock { number in
        number += 1
        return number
      }
      return Make.event(by: Make.key(1), to: Make.key(0).publicKey, content: "attempt \(attempt)")
    }
    pool.publish(make(), to: urls, refresh: { make() }) { taken in outcome.change { $0 = $0 == nil ? taken : $0 } }
    return outcome.wait(milliseconds: 30_000) { $0 }
  }
}

extension EventLoop {
  /// Asks on the loop again and again; false when the condition does not come true in a minute.
  func waits(for condition: @escaping @Sendable () -> Bool) -> Bool {
    let holds = Locked(false)
    @Sendable func ask() {
      if condition() { return holds.change { $0 = true } }
      after(milliseconds: 5, ask)
    }
    post(ask)
    return holds.wait(milliseconds: 60_000) { $0 ? true : nil } ?? false
  }
}
