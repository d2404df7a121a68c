import APNs
import Ciphers
import Curve
import Encodings
import HTTPClient
import JSON
import Nostr
import Platform
import SecretMemory
import TestSupport
import Testing
import WebPush

@testable import PushProxy

/// A sender with the stand-in for Apple's service, and what it told.
final class SenderBench: Sendable {
  struct Log {
    var settled: [(wake: Wake, outcome: WakeOutcome, isOver: Bool)] = []
    var gone: [(target: PushTarget, since: Int64?)] = []
  }

  let service: APNsStandIn
  let sender: WakeSender
  let log: Locked<Log>
  /// How far the proxy's clock is ahead of the machine's, in seconds.
  let ahead: Locked<Int64>

  init() throws {
    let key = try P256.PrivateKey(secret(hex: String(repeating: "17", count: 32)))
    service = try APNsStandIn(key: key.publicKey.bytes)
    var access = try APNsMessage.Service(topic: APNsStandIn.topic)
    (access.host, access.certificates) = ("localhost:\(service.port)", service.authority)
    let (log, ahead) = (Locked(Log()), Locked<Int64>(0))
    (self.log, self.ahead) = (log, ahead)
    var hooks = WakeSender.Hooks(
      settled: { wake, outcome, isOver in log.change { $0.settled.append((wake, outcome, isOver)) } },
      gone: { target, since, _ in log.change { $0.gone.append((target, since)) } })
    hooks.now = { Clock.seconds + ahead.withLock { $0 } }
    let vapid = VAPIDKey(try P256.PrivateKey(secret(hex: String(repeating: "18", count: 32))), contact: "mailto:a@b.example")
    sender = try WakeSender(
      apple: .init(access, token: ProviderToken(key, keyID: APNsStandIn.keyID, teamID: APNsStandIn.team)), vapid: vapid,
      web: .init(),
      hooks: hooks)
  }

  func stop() {
    sender.stop()
    service.stop()
  }

  func wake(_ number: Int) throws { sender.want(try Make.wake(number, now: Clock.seconds)) }

  /// Waits until that many wakes are over, and returns their results.
  func results(_ count: Int) -> [WakeOutcome] {
    log.wait(milliseconds: 60_000) { log in
      let over = log.settled.filter(\.isOver)
      return over.count >= count ? over.map(\.outcome) : nil
    } ?? []
  }

  var figures: SendingFigures { sender.appleFigures ?? SendingFigures() }
  func connections(of pushes: Int) -> Set<Int64> { Set(service.pushes(pushes).compactMap { $0["connection"]?.integer }) }
}

@Suite(
  "Sending wakes to Apple's service", .serialized,
  .enabled(if: APNsStandIn.python != nil, "needs the Python packages of `make deps`"))
struct WakeSenderTests {
  private func run(_ body: (SenderBench) throws -> Void) throws {
    let bench = try SenderBench()
    defer { bench.stop() }
    try body(bench)
  }

  @Test("A wake has all that Apple requires") func delivered() throws {
    try run { bench in
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      let push = try #require(bench.service.pushes(1).first)
      let device = try Make.device(1).hex
      #expect(push["status"]?.integer == 200 && push["device"]?.string == device)
      let wake = try #require(bench.log.withLock { $0.settled.first?.wake })
      #expect(
        push["headers"] == [
          "apns-topic": "app.example", "apns-push-type": "alert", "apns-priority": "10",
          "apns-expiration": .string("\(wake.expires)"), "apns-collapse-id": .string(wake.request.hex),
        ])
      #expect(push["payload"]?["event_id"]?.string == wake.request.hex && push["payload"]?["event"]?["kind"]?.integer == 24133)
      #expect(bench.figures.sendOk == 1 && bench.figures.sessionConnects == 1 && bench.figures.sessionAlive)
    }
  }

  @Test("All wakes share one connection, which stays open") func oneConnection() throws {
    try run { bench in
      for number in 0..<300 { try bench.wake(number) }
      #expect(bench.results(300).allSatisfy { $0 == .delivered })
      try bench.wake(300)
      #expect(bench.results(301).count == 301)
      #expect(bench.connections(of: 301) == [0] && bench.figures.sessionConnects == 1 && bench.figures.sendOk == 301)
    }
  }

  @Test("A device that is gone is reported, with the time at which Apple knew") func gone() throws {
    try run { bench in
      try bench.service.tell("answer 410 Unregistered")
      try bench.wake(1)
      #expect(bench.results(1).count == 1)
      try bench.service.tell("answer 400 BadDeviceToken")
      try bench.wake(2)
      #expect(bench.results(2).last == .gone(since: nil, isUnregistered: false))
      let gone = bench.log.withLock { $0.gone }
      #expect(try gone.map(\.target) == [.apple(Make.device(1)), .apple(Make.device(2))])
      #expect(gone.map { $0.since != nil } == [true, false])
    }
  }

  @Test("429 and 5xx are tried again later, other refusals are not") func later() throws {
    try run { bench in
      try bench.service.tell("answer 503 ServiceUnavailable 1")
      try bench.service.tell("answer 429 TooManyRequests 1 1")
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      #expect(
        bench.log.withLock { $0.settled.map(\.outcome) }.prefix(2) == [
          .later(status: 503, seconds: 0), .later(status: 429, seconds: 1),
        ])
      try bench.service.tell("answer 403 InvalidProviderToken")
      try bench.wake(2)
      #expect(bench.results(2).last == .refused(status: 403, reason: "InvalidProviderToken"))
      #expect(bench.figures.lastFailureReason == "the service answered 403 (InvalidProviderToken)")
      #expect(bench.figures.sendRetried == 2 && bench.figures.sendFail == 1)
    }
  }

  @Test("An expired provider token is renewed, and the wake sent again at once") func expired() throws {
    try run { bench in
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      bench.ahead.withLock { $0 = 1_300 }
      try bench.service.tell("clock 3700")
      try bench.wake(2)
      #expect(bench.results(2) == [.delivered, .delivered])
      let statuses = bench.service.pushes(3).compactMap { $0["status"]?.integer }
      #expect(statuses == [200, 403, 200])
    }
  }

  @Test("A connection on which nothing is answered costs a wake five seconds") func silent() throws {
    try run { bench in
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      try bench.service.tell("silent")
      let start = Clock.monotonicMilliseconds
      for number in 2..<20 { try bench.wake(number) }
      #expect(bench.results(19).allSatisfy { $0 == .delivered })
      #expect(Clock.monotonicMilliseconds - start < 15_000)
      #expect(
        bench.connections(of: 19) == [0, 1] && bench.figures.sessionConnects == 2 && bench.figures.sessionInvalidations == 1)
    }
  }

  @Test("A service that answers nothing for a while gets its wakes when it answers again") func silentForAWhile() throws {
    try run { bench in
      try bench.service.tell("silent always")
      try bench.wake(1)
      #expect(bench.log.wait(milliseconds: 20_000) { $0.settled.isEmpty ? nil : true } == true)
      try bench.service.tell("speak")
      #expect(bench.results(1) == [.delivered])
      #expect(bench.log.withLock { $0.settled.first?.outcome } == .failed(.timedOut))
    }
  }

  @Test("After GOAWAY a new connection is used, also for the wake that was under way", arguments: ["goaway", "goaway next"])
  func goAway(order: String) throws {
    try run { bench in
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      try bench.service.tell(order)
      try bench.wake(2)
      #expect(bench.results(2) == [.delivered, .delivered])
      #expect(
        bench.connections(of: 2) == [0, 1] && bench.figures.sessionConnects == 2 && bench.figures.sessionInvalidations == 1)
    }
  }

  @Test("An answer that comes before the service read the message counts") func early() throws {
    try run { bench in
      try bench.wake(1)
      #expect(bench.results(1) == [.delivered])
      try bench.service.tell("early")
      for device in 2...4 { try bench.wake(device) }
      #expect(bench.results(4) == [.delivered, .delivered, .delivered, .delivered])
      #expect(bench.service.pushes(4).count == 4 && bench.figures.sendRetried == 0 && bench.figures.sessionInvalidations == 0)
    }
  }

  @Test("A slow answer is waited for, and holds up nothing else") func slow() throws {
    try run { bench in
      try bench.service.tell("delay 1500")
      try bench.wake(1)
      #expect(comesTrue { bench.service.pushes.count == 1 })
      try bench.wake(2)
      #expect(bench.results(2) == [.delivered, .delivered])
      let slow = PushTarget.apple(try Make.device(1))
      let order = bench.log.withLock { $0.settled.map { $0.wake.target == slow ? 1 : 2 } }
      #expect(order == [2, 1] && bench.connections(of: 2) == [0])
    }
  }

  @Test("One device is woken ten times at once, ten wakes are sent later, and other devices are woken as before")
  func deviceLimit() throws {
    try run { bench in
      for _ in 0..<25 { try bench.wake(1) }
      try bench.wake(2)
      let results = bench.results(16)
      #expect(results.count { $0 == .tooOften } == 5 && results.count { $0 == .delivered } == 11)
    }
  }
}
