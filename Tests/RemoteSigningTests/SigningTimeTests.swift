import JSON
import Nostr
import RemoteSigning
import Testing

/// When an approved event is dated.
@Suite struct SigningTimeTests {
  /// kind; the app's date relative to its request (nil for none); how long the owner took; the event's date relative to the request.
  static let table: [(kind: Int, dated: Int64?, waited: Int64, expected: Int64)] = [
    (1, nil, 0, 0), (1, nil, 4000, 4000),
    (1, -1, 5, -1), (1, -1, 30, -1), (1, -1, 31, 31), (1, -300, 3600, 3600), (1, 300, 3600, 3600),
    (1, -301, 3600, -301), (1, 301, 3600, 301), (1, -301, 1, -301), (30023, -86_400, 90, -86_400),
    (27235, 0, 5, 5), (27235, 0, 3600, 3600), (27235, -4000, 10, 10), (27235, nil, 10, 10), (22242, 0, 1, 1),
    (22242, 4000, 60, 60),
  ]

  @Test("An approved event is dated as its app meant it", arguments: table) func anApprovedEventIsDatedAsTheAppMeantIt(
    kind: Int, dated: Int64?, waited: Int64, expected: Int64
  ) throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    let asked = scene.now
    var members: [JSONValue.Member] = [.init("kind", .integer(Int64(kind))), .init("content", ""), .init("tags", [])]
    if let dated { members.append(.init("created_at", .integer(asked + dated))) }
    let text = String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
    #expect(try scene.ask(app, "sign_event", [text]) == .waiting)
    scene.now += waited
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: true, now: scene.now))
    guard case .result(let json) = try scene.carryOut(exchange, app) else { Issue.record("not signed"); return }
    #expect(try Event(parsing: Array(json.utf8)).createdAt == asked + expected)
  }

  /// Relays keep the later one: the owner's second answer must not lose by chance.
  @Test("Two profiles approved in the same second get different dates") func twoProfilesApprovedInOneSecondBearTwoTimes() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    for name in ["a", "b"] { _ = try scene.ask(app, "sign_event", [#"{"kind":0,"content":"\#(name)","tags":[]}"#]) }
    let times = try scene.engine.pendingRequests.map { request -> Int64 in
      let exchange = try #require(scene.engine.answerPending(request.name, approve: true, now: scene.now))
      guard case .result(let json) = try scene.carryOut(exchange, app) else { return 0 }
      return try Event(parsing: Array(json.utf8)).createdAt
    }
    #expect(times == [scene.now, scene.now + 1])
  }

  /// What the rules allow is not waited for, and bears the app's own time.
  @Test("An event that is allowed at once keeps its date") func whatIsAllowedAtOnceKeepsItsDate() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let text = #"{"kind":1,"content":"","tags":[],"created_at":\#(scene.now - 250)}"#
    guard case .result(let json) = try scene.ask(app, "sign_event", [text]) else { Issue.record("not signed"); return }
    #expect(try Event(parsing: Array(json.utf8)).createdAt == scene.now - 250)
  }

  @Test("No date crashes the signer") func noDateTraps() {
    for (createdAt, received) in [(Int64.min, Int64.max), (.max, .min), (.max, 0), (.min, 0)] {
      #expect(SigningTime.isDeliberate(createdAt, receivedAt: received))
    }
  }
}
