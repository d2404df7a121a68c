import Curve
import Encodings
import JSON
import Nostr
import Testing

@testable import RemoteSigning

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
      #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "\(index)")]) == .waiting)
    }
    for kind in [0, 1] {
      guard case .error(let text) = try scene.ask(app, "sign_event", [template(kind: kind, content: "one more")]) else {
        Issue.record("queued"); return
      }
      #expect(text.contains("too many"))
    }
  }

  @Test("Requests that are alike count as one, and are limited by themselves") func alikeRequestsCountAsOne() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    for index in 0..<PendingRequest.maximumAlike {
      #expect(try scene.ask(app, "sign_event", [template(content: "\(index)")]) == .waiting)
    }
    let more = try scene.ask(app, "sign_event", [template(content: "one more")])
    #expect(more == .error(ReplyText.queueFull))
    // The notes are one of twenty: what is not like them still waits, up to the limit.
    for index in 1..<PendingRequest.maximumPerClient {
      #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "\(index)")]) == .waiting)
    }
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "one more")]) == .error(ReplyText.queueFull))
    #expect(try scene.ask(app, "sign_event", [template(kind: 7, content: "+")]) == .error(ReplyText.queueFull))
    #expect(scene.engine.pendingRequests.count == PendingRequest.maximumAlike + PendingRequest.maximumPerClient - 1)
  }

  @Test(
    "What the owner has to look at alone counts alone",
    arguments: [(Method.signEvent, 0), (.signEvent, 3), (.signEvent, 5), (.signEvent, 22242), (.signEvent, 40_404)])
  func seriousRequestsCountAlone(method: Method, kind: Int) {
    #expect(request(method, kind, 0).likeness == nil)
  }

  @Test("Requests of one everyday kind, and encryptions, are alike") func everydayRequestsAreAlike() throws {
    let (note, reaction) = (request(.signEvent, 1, 0).likeness, request(.signEvent, 7, 0).likeness)
    #expect(note != nil && note == request(.signEvent, 1, 1).likeness && note != reaction)
    let encryption = request(.nip44Encrypt, nil, 0).likeness
    #expect(encryption != nil && encryption != request(.nip44Decrypt, nil, 0).likeness)
    let other = try KeyPair.random().publicKey
    #expect(request(.nip44Decrypt, nil, 0, reading: other).likeness != nil)
    #expect(request(.nip44Decrypt, nil, 0, reading: owner).likeness == nil, "it may read a private list")
  }

  @Test("An app that floods with requests that are alike leaves the other apps their places") func alikeRequestsLeavePlaces() {
    let notes = (1..<PendingRequest.maximumAlike).map { request(.signEvent, 1, $0) }
    let note = request(.signEvent, 1, 1000)
    #expect(!note.fits(beside: notes, held: PendingRequest.maximumHeldWithAlike), "no app adds to its alike ones")
    #expect(note.fits(beside: notes, held: PendingRequest.maximumHeldWithAlike - 1))
    let own = (1..<PendingRequest.maximumPerClient).map { request(.signEvent, 0, $0) }
    let profile = request(.signEvent, 0, 1000)
    #expect(profile.fits(beside: own, held: PendingRequest.maximumHeld - 1), "another app's places are its own")
    #expect(!profile.fits(beside: own, held: PendingRequest.maximumHeld))
    #expect(!profile.fits(beside: own + [profile], held: 0))
  }

  private let owner: PublicKey

  init() throws { owner = try KeyPair.random().publicKey }

  private func request(_ method: Method, _ kind: Int?, _ number: Int, reading peer: PublicKey? = nil) -> PendingRequest {
    PendingRequest(
      remoteSigner: owner, client: owner, identity: owner, method: method,
      parameters: [Array((peer.map(\.hex) ?? "\(number)").utf8)], kind: kind, rule: .protectedKind, eventID: owner.bytes,
      receivedAt: 0,
      replies: [])
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
