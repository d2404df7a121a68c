import Curve
import Encodings
import JSON
import Nostr
import RemoteSigning
import Testing

@Suite struct WaitingTests {
  @Test("A request that needs the owner waits and is answered once") func aRequestThatNeedsTheOwnerGetsNothingUntilThen() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
    let request = try #require(scene.engine.pendingRequests.first)
    #expect(request.rule == .protectedKind)
    let exchange = try #require(scene.engine.answerPending(request.name, approve: true, now: scene.now))
    guard case .result(let json) = try scene.carryOut(exchange, app) else { Issue.record("not signed"); return }
    #expect(try Event(parsing: Array(json.utf8)).kind == 0)
    #expect(scene.engine.answerPending(request.name, approve: true, now: scene.now) == nil, "answered once")
  }

  @Test("A denied request gets an error") func aRefusalIsAnError() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: false, now: scene.now))
    #expect(try scene.carryOut(exchange, app) == .error("user rejected"))
  }

  @Test("A repeated request is asked once, and both are answered")
  func theSameRequestIsNotAskedTwiceAndBothAsksAreAnswered() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    scene.now += 65
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(scene.engine.pendingRequests.count == 1)
    let request = try #require(scene.engine.pendingRequests.first)
    #expect(request.replies.count == 2)
    let exchange = try #require(scene.engine.answerPending(request.name, approve: true, now: scene.now))
    let replies = scene.engine.perform(exchange, now: scene.now).replies
    let ids = try replies.map { try JSONValue(parsing: app.open($0.event))["id"]?.string }
    #expect(ids == ["r2", "r3"])
    let results = try replies.map { try JSONValue(parsing: app.open($0.event))["result"]?.string }
    #expect(Set(results).count == 1, "one event is signed, and told twice")
  }

  @Test("The number of waiting requests is limited") func theQueueIsBounded() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    for index in 0..<PendingRequest.maximumPerClient {
      #expect(try scene.ask(app, "sign_event", [template(content: "\(index)")]) == .waiting)
    }
    guard case .error(let text) = try scene.ask(app, "sign_event", [template(content: "one more")]) else {
      Issue.record("queued"); return
    }
    #expect(text.contains("too many"))
  }

  @Test("Waiting requests end with their app") func whatWaitsGoesWithItsApp() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let ended = scene.engine.end(scene.signer.publicKey, now: scene.now)
    #expect(ended.map(\.request.name) == [name])
    #expect(scene.engine.pendingRequests.isEmpty)
    #expect(scene.engine.answerPending(name, approve: true, now: scene.now) == nil)
  }

  @Test("A request that waited for a day is dropped") func whatWaitedADayIsDropped() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    #expect(scene.engine.expirePending(now: scene.now + PendingRequest.lifetime).isEmpty)
    #expect(scene.engine.expirePending(now: scene.now + PendingRequest.lifetime + 1).count == 1)
    #expect(scene.engine.pendingRequests.isEmpty)
  }

  @Test("An app is told when the key was locked before the approval") func aKeyLockedMeanwhileIsSaid() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    scene.engine.setIdentities([])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    #expect(
      try scene.carryOut(try #require(scene.engine.answerPending(name, approve: true, now: scene.now)), app)
        == .error("the signer is locked"))
  }
}

@Suite struct RecordTests {
  @Test("Every stored record is read back as it was written") func everyRecordReadsBackAsItWasWritten() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template(content: "\u{2028}\u{1}\"\\🔑")])
    var pairing = try #require(scene.engine.pairings.first)
    try pairing.grant.allow(Permission(.signEvent, kind: 1))
    try pairing.grant.deny(Permission(.nip04Decrypt))
    #expect(try Pairing(record: pairing.record) == pairing)
    #expect(try OpenLink(record: scene.link.record) == scene.link)
    let request = try #require(scene.engine.pendingRequests.first)
    #expect(try PendingRequest(record: request.record) == request)
  }

  @Test("A damaged record is reported with the damaged field") func aDamagedRecordIsNamed() throws {
    let scene = try Scene()
    #expect(throws: RecordError.notAnObject) { try Pairing(record: Array("[]".utf8)) }
    #expect(throws: RecordError.field("signer")) { try OpenLink(record: Array("{}".utf8)) }
    let text = String(decoding: scene.link.record, as: UTF8.self).replacing("medium", with: "boundless")
    #expect(throws: RecordError.field("trust")) { try OpenLink(record: Array(text.utf8)) }
  }
}
