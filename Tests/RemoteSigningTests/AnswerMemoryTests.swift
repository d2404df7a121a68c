import Curve
import JSON
import Nostr
import RemoteSigning
import Testing

/// An app asks again what the owner just answered.
@Suite struct AnswerMemoryTests {
  private static func answered(_ approve: Bool, trust: TrustLevel = .low) throws -> (Scene, App, Scene.Seen) {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")])
    return (scene, app, try answer(scene, app, approve))
  }

  private static func answer(_ scene: Scene, _ app: App, _ approve: Bool) throws -> Scene.Seen {
    let name = try #require(scene.engine.pendingRequests.first?.name)
    return try scene.carryOut(try #require(scene.engine.answerPending(name, approve: approve, now: scene.now)), app)
  }

  @Test("A denial holds for a repeated request, and later the owner is asked again")
  func aRefusalHoldsForARetryAndIsAskedAnewLater() throws {
    let (scene, app, first) = try Self.answered(false)
    #expect(first == .error("user rejected"))
    for step in [0, 65, OwnerAnswer.refusalWindow - 65] {
      scene.now += step
      #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == first)
    }
    #expect(scene.engine.pendingRequests.isEmpty)
    scene.now += 1
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
  }

  @Test("An approval holds for a repeated request and gives the same event")
  func anApprovalHoldsForARetryWithTheSameEvent() throws {
    let (scene, app, first) = try Self.answered(true)
    guard case .result(let json) = first else { Issue.record("not signed"); return }
    scene.now += OwnerAnswer.approvalWindow
    guard case .result(let again) = try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) else {
      Issue.record("asked again"); return
    }
    #expect(try Event(parsing: Array(json.utf8)).id == Event(parsing: Array(again.utf8)).id, "the same event, not a second one")
    scene.now += 1
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
  }

  @Test("A repeated request without a date gets the date of the first event")
  func anApprovalWithoutATimeOfItsOwnIsRepeatedWithTheFirstTime() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    let text = #"{"kind":1,"content":"x","tags":[]}"#
    _ = try scene.ask(app, "sign_event", [text])
    scene.now += 90
    guard case .result(let first) = try Self.answer(scene, app, true) else { Issue.record("not signed"); return }
    scene.now += 40
    guard case .result(let second) = try scene.ask(app, "sign_event", [text]) else { Issue.record("asked"); return }
    #expect(try Event(parsing: Array(first.utf8)).id == Event(parsing: Array(second.utf8)).id)
  }

  @Test("A different request of the same app is asked separately") func anotherQuestionIsAskedOnItsOwn() throws {
    let (scene, app, _) = try Self.answered(true)
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{ }")]) == .waiting)
    #expect(try scene.ask(app, "nip44_encrypt", [app.key.publicKey.hex, "x"]) == .waiting)
  }

  @Test("The same request of another app is asked separately") func anotherAppsQuestionIsAskedOnItsOwn() throws {
    let (scene, _, _) = try Self.answered(true)
    try scene.openAnotherLink(trust: .low)
    let other = try scene.pairedApp()
    #expect(try scene.ask(other, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
  }

  @Test("A rule that denies wins over an earlier approval") func aDenialThatCameAfterTheApprovalHolds() throws {
    let (scene, app, _) = try Self.answered(true)
    var pairing = try #require(scene.engine.pairings.first)
    try pairing.grant.deny(Permission(.signEvent, kind: 0))
    #expect(scene.engine.update(pairing.remoteSigner, name: pairing.name, grant: pairing.grant))
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .error("not permitted"))
  }

  @Test("Remembered answers end with their pairing") func anAnswerGoesWithItsPairing() throws {
    let (scene, app, _) = try Self.answered(true)
    let pairing = try #require(scene.engine.pairings.first)
    let id = scene.engine.close(app.signer)
    #expect(id.isEmpty)
    scene.engine.add(pairing, signer: scene.signer, now: scene.now)
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
    #expect(scene.engine.expireAnswers(now: scene.now).count == 1)
  }

  @Test("An answer that could not be carried out is forgotten") func anAnswerThatCouldNotBeCarriedOutIsForgotten() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    let exchange = try #require(scene.engine.answerPending(name, approve: true, now: scene.now))
    scene.engine.forgetAnswer(to: exchange.eventID)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
  }

  @Test("A clock that is set back does not extend an answer") func aClockThatIsSetBackDoesNotMakeAnAnswerLast() throws {
    let (scene, app, _) = try Self.answered(true)
    scene.now -= 60
    #expect(try scene.ask(app, "sign_event", [template(kind: 0, content: "{}")]) == .waiting)
  }

  @Test("The number of remembered answers is limited") func theMemoryIsBounded() throws {
    let engine = SigningEngine()
    let key = try KeyPair.random().publicKey
    for n in 0..<2000 {
      var id = key.bytes
      withUnsafeMutableBytes(of: &id) { $0.storeBytes(of: UInt32(n), as: UInt32.self) }
      engine.restore(
        OwnerAnswer(eventID: id, remoteSigner: key, question: id, isApproved: true, askedAt: 0, answeredAt: Scene.start))
    }
    #expect(engine.expireAnswers(now: Scene.start).count == 2000 - 512)
    #expect(engine.expireAnswers(now: Scene.start + OwnerAnswer.approvalWindow + 1).count == 512)
  }

  @Test("A stored answer is read back as it was written") func anAnswersRecordIsReadAsItWasWritten() throws {
    let key = try KeyPair.random().publicKey
    for isApproved in [true, false] {
      let answer = OwnerAnswer(
        eventID: key.bytes, remoteSigner: key, question: key.bytes, isApproved: isApproved, askedAt: 1, answeredAt: 2)
      #expect(try OwnerAnswer(record: answer.record) == answer)
    }
    let record = String(
      decoding: OwnerAnswer(
        eventID: key.bytes, remoteSigner: key, question: key.bytes, isApproved: true, askedAt: 1, answeredAt: 2
      ).record, as: UTF8.self)
    let unclear = record.split(separator: "true").joined(separator: "1")
    #expect(throws: RecordError.field("answer")) { try OwnerAnswer(record: Array(unclear.utf8)) }
  }

  @Test("A request that is approved while locked keeps waiting") func anApprovalWhileLockedLeavesTheRequestWhereItIs() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    let name = try #require(scene.engine.pendingRequests.first?.name)
    scene.engine.lock()
    #expect(scene.engine.answerPending(name, approve: true, now: scene.now) == nil)
    #expect(scene.engine.pendingRequests.map(\.name) == [name])
    scene.engine.unlock(with: [scene.identity])
    guard case .result = try Self.answer(scene, app, true) else { Issue.record("not signed"); return }
  }

  @Test("A request can be denied while the signer is locked") func aRefusalNeedsNoKey() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    scene.engine.lock()
    #expect(try Self.answer(scene, app, false) == .error("user rejected"))
  }

  @Test("An app is told when nobody answered its request in time") func whatNobodyAnsweredInTimeIsToldToItsApp() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    _ = try scene.ask(app, "sign_event", [template()])
    #expect(scene.engine.takeExpired(now: scene.now + PendingRequest.lifetime).isEmpty)
    let expired = scene.engine.takeExpired(now: scene.now + PendingRequest.lifetime + 1)
    #expect(
      try scene.carryOut(try #require(expired.first?.exchange), app)
        == .error("the signer's owner did not answer in time; ask again"))
    #expect(scene.engine.pendingRequests.isEmpty)
  }

  @Test("A changed rule decides requests that are waiting") func rulesThatChangedDecideWhatWaits() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    for kind in [1, 7] { _ = try scene.ask(app, "sign_event", [template(kind: kind)]) }
    #expect(scene.engine.reconsider(app.signer, now: scene.now).isEmpty)
    var pairing = try #require(scene.engine.pairings.first)
    try pairing.grant.allow(Permission(.signEvent, kind: 7))
    #expect(scene.engine.update(pairing.remoteSigner, name: pairing.name, grant: pairing.grant))
    let found = scene.engine.reconsider(app.signer, now: scene.now)
    guard found.count == 1, case .decided(_, let exchange) = found[0] else { Issue.record("not decided"); return }
    #expect(exchange.kind == 7 && exchange.decision?.rule == .ownerAllowed)
    #expect(scene.engine.pendingRequests.map(\.kind) == [1])
  }
}
