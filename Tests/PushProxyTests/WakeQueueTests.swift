import APNs
import Curve
import Encodings
import HTTPClient
import JSON
import Nostr
import TestSupport
import Testing
import WebPush

@testable import PushProxy

extension Make {
  static func device(_ number: Int) throws -> DeviceToken {
    try DeviceToken(parsing: Hex.encode([UInt8](repeating: 0xab, count: 28) + (0..<4).map { UInt8(number >> (8 * $0) & 0xff) }))
  }

  static func wake(_ number: Int = 0, to target: PushTarget? = nil, now: Int64 = 1_700_000_000) throws -> Wake {
    let (app, signer) = (try key(1), try key(2).publicKey)
    let asked = WakeRequest(try request("\(number)", by: app, to: signer), for: signer, at: "wss://relay.example", now: now)
    return try Wake(asked, to: target ?? .apple(device(number)))
  }

  static func endpoint(_ host: String, _ number: Int = 0) throws -> PushTarget {
    .unifiedPush(try PushEndpoint(parsing: "https://\(host)/\(number)"))
  }
}

@Suite("When a wake is sent") struct WakeQueueTests {
  /// Sends one wake again and again, and notes after how many milliseconds each attempt was made.
  private func attempts(_ outcomes: [WakeOutcome], chance: Double = 0) throws -> (at: [Int64], isOver: Bool) {
    var queue = WakeQueue(.init())
    #expect(queue.add(try Make.wake(), now: 0) == true)
    var (now, at, isOver): (Int64, [Int64], Bool) = (0, [], false)
    for outcome in outcomes {
      let due = queue.takeDue(now: now).send
      guard let attempt = due.first else { return (at, isOver) }
      at.append(now)
      isOver = queue.settle(attempt.id, outcome, now: now, chance: chance)?.isOver ?? true
      if isOver { break }
      now = queue.nextDue ?? now
    }
    return (at, isOver && queue.count == 0)
  }

  @Test(
    "What cannot change is not tried again",
    arguments: [
      .delivered, .gone(since: nil, isUnregistered: true), .refused(status: 403, reason: nil), .notMade, .failed(.notTrusted),
      .failed(.addressRefused), .later(status: 429, seconds: 60),
    ] as [WakeOutcome])
  func final(outcome: WakeOutcome) throws {
    let made = try attempts([outcome, .delivered])
    #expect(made.at == [0] && made.isOver)
  }

  @Test(
    "After 5xx the pauses grow, half of each is left to chance, and the attempts are limited", arguments: [(0.0, 1), (0.999, 2)])
  func backOff(chance: Double, factor: Int64) throws {
    let made = try attempts(Array(repeating: .later(status: 503, seconds: 0), count: 9), chance: chance)
    let steps = zip(made.at.dropFirst(), made.at).map { $0 - $1 }
    #expect(made.isOver && steps.count == WakeQueue.maximumAttempts - 1)
    for (step, full) in zip(steps, [500, 2_000, 8_000, 32_000] as [Int64]) {
      #expect(step >= full / 2 * factor - full / 100 && step < full / 2 * factor + full / 100 + 1)
    }
  }

  @Test("The delay that a service asks for is kept") func retryAfter() throws {
    let made = try attempts([.later(status: 429, seconds: 7), .delivered])
    #expect(made.at == [0, 7_250] && made.isOver)
  }

  @Test("An expired provider token is replaced and the wake sent again at once, one time") func token() throws {
    let made = try attempts([.tokenExpired, .tokenExpired, .delivered])
    #expect(made.at == [0, 0] && made.isOver)
  }

  @Test("After silence or a broken connection the wake is sent again at once") func broken() throws {
    #expect(try attempts([.failed(.timedOut), .failed(.timedOut), .delivered]).at == [0, 0, 0])
    #expect(try attempts([.failed(.brokenOff), .failed(.brokenOff), .delivered]).at == [0, 0, 1_000])
    #expect(try attempts([.failed(.unreachable), .delivered]).at == [0, 250])
  }

  @Test("A wake is given up when its minute is over", arguments: [(59_999, 1, 0), (60_000, 0, 1)])
  func minute(now: Int64, sent: Int, late: Int) throws {
    var queue = WakeQueue(.init())
    let isAdded = queue.add(try Make.wake(), now: 0)
    let due = queue.takeDue(now: now)
    #expect(isAdded && due.send.count == sent && due.late.count == late && queue.count == sent)
    let settled = due.send.first.map { queue.settle($0.id, .later(status: 500, seconds: 0), now: now, chance: 0)?.isOver }
    #expect(settled == (sent == 1 ? true : nil))
  }

  @Test("There are limits to waiting wakes, to wakes that are being sent, and to wakes for one host") func limits() throws {
    var queue = WakeQueue(.init(waiting: 5, inFlight: 3, perHost: 2))
    let hosts = ["a.example", "a.example", "a.example", "b.example", "c.example", "d.example"]
    let added = try hosts.enumerated().map { queue.add(try Make.wake($0, to: Make.endpoint($1, $0)), now: 0) }
    #expect(added == [true, true, true, true, true, false])
    let first = queue.takeDue(now: 0).send
    #expect(first.map(\.wake.target.host) == ["a.example", "a.example", "b.example"])
    #expect(queue.takeDue(now: 0).send.isEmpty)
    _ = queue.settle(first[0].id, .delivered, now: 0, chance: 0)
    #expect(queue.takeDue(now: 0).send.map(\.wake.target.host) == ["a.example"] && queue.count == 4)
  }

  @Test("Wakes that are put off are sent in the order of their times") func delays() throws {
    var queue = WakeQueue(.init())
    let delays: [Int64] = [300, 100, 200, 100, 0]
    for (number, delay) in delays.enumerated() { #expect(queue.add(try Make.wake(number), now: 0, after: delay) == true) }
    #expect(queue.takeDue(now: 0).send.map(\.id) == [5] && queue.nextDue == 100)
    #expect(queue.takeDue(now: 100).send.map(\.id) == [2, 4] && queue.nextDue == 200)
    #expect(queue.takeDue(now: 1_000).send.map(\.id) == [3, 1] && queue.nextDue == nil)
  }

  @Test("While no more may be sent, those whose minute is over make room all the same") func lateWhileFull() throws {
    var queue = WakeQueue(.init(waiting: 3, inFlight: 1))
    for number in 0..<3 { #expect(queue.add(try Make.wake(number), now: 0) == true) }
    #expect(queue.takeDue(now: 0).send.count == 1)
    #expect(queue.takeDue(now: WakeQueue.useful).late.count == 2 && queue.count == 1)
  }

  @Test("What was sent on a connection that is given up is sent again, and an answer that comes late changes nothing")
  func givenUp() throws {
    var queue = WakeQueue(.init())
    for number in 0..<3 { #expect(queue.add(try Make.wake(number), now: 0) == true) }
    let first = queue.takeDue(now: 0).send
    for _ in 0..<20 {
      queue.giveUpAttempts()
      #expect(queue.takeDue(now: 1).send.map(\.id) == first.map(\.id))
    }
    queue.giveUpAttempts()
    let late = queue.settle(first[0].id, .refused(status: 400, reason: nil), now: 2, chance: 0)
    #expect(late == nil && queue.count == 3)
  }
}

@Suite("What a push contains") struct WakeTests {
  private static func receiver() throws -> PushTarget {
    .webPush(
      try PushReceiver(
        endpoint: PushEndpoint(parsing: "https://push.example/secret"),
        key: bytes(
          "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        ), auth: [UInt8](repeating: 7, count: 16)))
  }

  /// A request with so long a content and so many tags, as a browser is told of it.
  private static func told(of length: Int, tags: Int = 0) throws -> (JSONValue, WakeRequest) {
    let (app, signer) = (try Make.key(1), try Make.key(2).publicKey)
    let event = try UnsignedEvent(
      pubkey: app.publicKey, createdAt: 1_700_000_000, kind: 24133,
      tags: [["p", signer.hex]] + [[String]](repeating: ["x"], count: tags), content: String(repeating: "x", count: length)
    ).signed(by: app)
    let request = WakeRequest(event, for: signer, at: "wss://relay.example", now: 1_700_000_000)
    let wake = try Wake(request, to: receiver())
    #expect(wake.expires == 1_700_000_060 && wake.content.count <= Wake.paddedLength)
    return (try JSONValue(parsing: wake.content), request)
  }

  @Test("A browser gets the request itself, beside where it is, which it is and for whom", arguments: [0, 1_000, 3_200])
  func webPush(length: Int) throws {
    let (content, request) = try Self.told(of: length)
    #expect(
      content == [
        "relay_url": "wss://relay.example", "event_id": .string(request.id.hex), "signer_pubkey": .string(request.signer.hex),
        "event": try JSONValue(parsing: #require(request.event).json()),
      ])
  }

  @Test("A request that does not fit is fetched by the signer", arguments: [(3_900, 0), (50_000, 0), (10, 100)])
  func tooLong(length: Int, tags: Int) throws {
    let (content, request) = try Self.told(of: length, tags: tags)
    #expect(content["event"] == nil && content["event_id"] == .string(request.id.hex))
  }

  @Test("An endpoint without keys is told nothing") func unifiedPush() throws {
    let wake = try Make.wake(to: Make.endpoint("ntfy.example"))
    #expect(wake.content.isEmpty)
    let request = PushMessage(withoutContentTo: try PushEndpoint(parsing: "https://ntfy.example/0"), lifetime: 60).request(
      .init())
    guard case .bytes(let body) = request.body else { throw WatchRefusal.tooLong }
    #expect(body.isEmpty && request.headers == ["TTL: 60", "Urgency: high"])
    #expect(!request.mayConnect([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1]))
  }

  @Test("The figures tell connections, results and pruned devices apart") func figures() {
    var figures = SendingFigures()
    figures.answered(isNew: true, now: 10)
    figures.settled(.delivered, isOver: true, now: 10)
    figures.answered(isNew: false, now: 12)
    #expect(figures.sessionAgeSeconds(now: 15) == 5 && figures.lastSendAt == 10 && figures.lastFailureAt == nil)
    figures.settled(.later(status: 503, seconds: 0), isOver: false, now: 12)
    figures.answered(isNew: true, now: 20)  // after a GOAWAY
    figures.settled(.gone(since: 1, isUnregistered: true), isOver: true, now: 20)
    figures.settled(.gone(since: nil, isUnregistered: false), isOver: true, now: 21)
    figures.lostSession()
    figures.lostSession()
    #expect(figures.sessionConnects == 2 && figures.sessionInvalidations == 2 && !figures.sessionAlive)
    #expect(figures.sendOk == 1 && figures.sendFail == 2 && figures.sendRetried == 1)
    #expect(figures.lastFailureAt == 21 && figures.lastFailureReason == "the device token is not valid")
    #expect(figures.sessionAgeSeconds(now: 30) == nil)
  }
}
