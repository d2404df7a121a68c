import Curve
import Encodings
import JSON
import Nostr
import Platform
import Testing

@testable import RemoteSigning

/// No app waits for nothing: who is told what, and what it may cost.
@Suite("Every request gets an answer")
struct UnansweredTests {
  static let used = Scene.Seen.error("this link was used by another app: ask for a new one")
  static let ended = Scene.Seen.error("no longer paired: connect again with a new link")
  static let connectFirst = Scene.Seen.error("connect first: this link is not used yet")

  @Test("A second app on a used link gets an error once a minute, and nothing is done for it")
  func aSecondAppIsTold() throws {
    let scene = try Scene(trust: .full)
    let first = try scene.pairedApp()
    for (method, parameters) in [("connect", ["", scene.link.secret]), ("ping", []), ("sign_event", [template()])] {
      let second = try App(signer: scene.signer.publicKey)
      #expect(try scene.ask(second, method, parameters) == Self.used)
      #expect(try scene.ask(second, method, parameters) == .nothing(.linkSpent))
      scene.now += 59
      #expect(try scene.ask(second, method, parameters) == .nothing(.linkSpent))
      scene.now += 1
      #expect(try scene.ask(second, method, parameters) == Self.used)
    }
    #expect(scene.engine.pairings.map(\.client) == [first.key.publicKey])
    #expect(scene.engine.pairings.map(\.requestCount) == [0], "it is not counted as the app's")
    #expect(try scene.ask(first, "ping") == .result("pong"))
  }

  @Test(
    "A wrong secret is told at once, and to the same app a minute later; the right one works at once", arguments: [false, true])
  func wrongSecretsAreAnsweredAFewTimesOnly(isExpired: Bool) throws {
    let scene = try Scene(lifetime: 1_000)
    if isExpired { scene.now += 1_000 }
    let secret = isExpired ? scene.link.secret : "wrong"
    func isAnswered(_ app: App) throws -> Bool {
      let seen = try scene.ask(app, "connect", ["", secret])
      if case .error = seen { return true }
      #expect(seen == .nothing(.connectRefused) || seen == .nothing(.rateLimited))
      return false
    }
    let app = try App(signer: scene.signer.publicKey)
    #expect(try [isAnswered(app), isAnswered(app)] == [true, false])
    scene.now += ServedKeyRates.answerPause
    #expect(try isAnswered(app))
    let start = scene.now
    var answers = 1
    while scene.now < start + 50 {
      for _ in 0..<9 where try isAnswered(try App(signer: scene.signer.publicKey)) { answers += 1 }
      scene.now += 1
    }
    #expect(answers <= ServedKeyRates.countedStrangers, "\(answers)")
    guard !isExpired else { return }
    #expect(try scene.ask(app, "connect", ["", scene.link.secret]) == .result("ack"))
  }

  @Test("The answer to a second app does not say who used the link")
  func theAnswerNamesNobody() throws {
    let scene = try Scene()
    let first = try scene.pairedApp()
    guard case .error(let text) = try scene.ask(try App(signer: scene.signer.publicKey), "connect") else { throw Missing() }
    #expect(!text.contains(first.key.publicKey.hex.prefix(8)) && !text.contains("app \(first.key.publicKey.hex.prefix(8))"))
  }

  @Test("A forged event does not use up the answer of the app it names")
  func aForgeryTakesNoAnswer() throws {
    let scene = try Scene()
    _ = try scene.pairedApp()
    let second = try App(signer: scene.signer.publicKey)
    let event = try second.request("connect", [], now: scene.now)
    #expect(try scene.deliver(App.forged(event), to: second) == .nothing(.badSignature))
    #expect(try scene.deliver(event, to: second) == Self.used)
  }

  @Test("Many strangers at a used link get a limited number of answers and take no memory")
  func strangersCostABoundedNumberOfAnswers() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let before = scene.engine.state.withLock { $0.seen.count }
    var answers = 0
    for _ in 0..<200 {
      let stranger = try App(signer: scene.signer.publicKey)
      if try scene.ask(stranger, "connect") == Self.used { answers += 1 }
    }
    #expect((1...60).contains(answers), "\(answers)")
    #expect(scene.engine.state.withLock { $0.seen.count } == before)
    #expect(scene.engine.pendingRequests.isEmpty && scene.engine.pairings.count == 1)
    #expect(try scene.ask(app, "ping") == .result("pong"))
  }

  @Test("At most 64 answered strangers are remembered per key and minute")
  func whoWasAnsweredIsBounded() throws {
    var rates = ServedKeyRates(now: 0)
    let answered = try (0..<100).filter { _ in rates.answer(try KeyPair.random().publicKey, now: 0) }.count
    #expect(answered == ServedKeyRates.countedStrangers)
    #expect(rates.answer(try KeyPair.random().publicKey, now: 60))
  }

  @Test("A stranger on an open link is told to connect first")
  func aStrangerIsToldToConnect() throws {
    let scene = try Scene(trust: .full)
    let app = try App(signer: scene.signer.publicKey)
    for method in ["ping", "get_public_key", "sign_event", "logout", "unknown"] {
      #expect(try scene.ask(app, method, [template()]) == Self.connectFirst)
    }
    #expect(try scene.ask(app, "connect", ["", scene.link.secret]) == .result("ack"), "and then it may")
  }

  @Test("An app with a wrong clock is told so at an open link, too")
  func aStrangersClockIsNamed() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    for offset: Int64 in [-600, 600] {
      let event = try app.request("connect", ["", .string(scene.link.secret)], now: scene.now + offset)
      guard case .error(let text) = try scene.deliver(event, to: app) else { throw Missing() }
      #expect(text.contains("600 seconds"))
      #expect(try scene.deliver(event, to: app) == .nothing(.alreadySeen))
    }
    #expect(scene.engine.pairings.isEmpty)
  }

  enum Ending: CaseIterable { case revoked, loggedOut, replaced }

  @Test("An app is told that its pairing ended", arguments: Ending.allCases)
  func anEndedAppIsTold(ending: Ending) throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let stranger = try App(signer: app.signer)
    switch ending {
    case .revoked: #expect(scene.engine.end(app.signer, now: scene.now).isEmpty)
    case .loggedOut: #expect(try scene.ask(app, "logout") == .result("ack"))
    case .replaced:
      try scene.openAnotherLink()
      let again = try App(signer: scene.signer.publicKey, key: app.key)
      #expect(try scene.ask(again, "connect", ["", scene.link.secret]) == .result("ack"))
    }
    for method in ["sign_event", "connect", "ping", "nip44_decrypt", "logout", "unknown"] {
      #expect(try scene.ask(app, method, [template()]) == Self.ended)
    }
    #expect(try scene.ask(stranger, "connect") == Self.used, "nobody else learns that it ended")
    #expect(
      scene.engine.remoteSigners.contains(app.signer) && scene.engine.remoteSignersByRelay.values.joined().contains(app.signer))
    #expect(scene.engine.endedPairings.map(\.client) == [app.key.publicKey])
  }

  @Test("All pending requests of an ended app are answered, and then one a second")
  func manyRequestsAreAnswered() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    _ = scene.engine.end(app.signer, now: scene.now)
    for _ in 0..<RateLimit.formerApp.burst { #expect(try scene.ask(app, "ping") == Self.ended) }
    for _ in 0..<10 {
      #expect(try scene.ask(app, "ping") == .nothing(.rateLimited))
      scene.now += 1
      #expect(try scene.ask(app, "ping") == Self.ended)
    }
  }

  @Test("Forged, copied or foreign events do not suppress the answers to an ended app")
  func nobodySilencesAnEndedApp() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    _ = scene.engine.end(app.signer, now: scene.now)
    let real = try app.request("ping", [], now: scene.now)
    let forged = try App.forged(app.request("ping", [], now: scene.now))
    for _ in 0..<500 {
      #expect(try scene.deliver(forged, to: app) == .nothing(.badSignature))
      _ = scene.engine.receive(try App(signer: app.signer).request("ping", [], now: scene.now), now: scene.now)
    }
    #expect(try scene.deliver(real, to: app) == Self.ended)
    for _ in 0..<500 { #expect(try scene.deliver(real, to: app) == .nothing(.alreadySeen)) }
    #expect(try scene.ask(app, "ping") == Self.ended)
  }

  @Test("Only a limited number of forged and copied events for an ended app are checked")
  func forgeriesOfAnEndedAppAreBounded() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    _ = scene.engine.end(app.signer, now: scene.now)
    let real = try app.request("ping", [], now: scene.now)
    #expect(try scene.deliver(real, to: app) == Self.ended)
    let forged = try App.forged(app.request("ping", [], now: scene.now))
    for event in [forged, real] {
      for _ in 0..<(RateLimit.formerAppForgeries.burst / 2) { _ = scene.engine.receive(event, now: scene.now) }
    }
    #expect(try scene.deliver(forged, to: app) == .nothing(.rateLimited))
    scene.now += 1
    #expect(try scene.ask(app, "ping") == Self.ended, "and a moment later it is heard again")
  }

  @Test("No relay is kept for a link that was withdrawn, and a link that an app used is not withdrawn")
  func relaysOfAWithdrawnLink() throws {
    let scene = try Scene()
    #expect(!scene.engine.relays.isEmpty)
    #expect(scene.engine.withdraw(scene.link.remoteSigner, now: scene.now))
    #expect(scene.engine.relays.isEmpty && scene.engine.formerRelays(now: scene.now).isEmpty)
    #expect(!scene.engine.withdraw(scene.link.remoteSigner, now: scene.now))
    let other = try Scene()
    let app = try other.pairedApp()
    #expect(!other.engine.withdraw(app.signer, now: other.now) && other.engine.pairings.count == 1)
  }

  @Test("Relays that only an ended app used are kept for a day")
  func relaysOfAnEndedAppAreLeft() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    #expect(scene.engine.formerRelays(now: scene.now).isEmpty)
    _ = scene.engine.end(app.signer, now: scene.now)
    #expect(scene.engine.formerRelays(now: scene.now + EndedPairing.relaysKeptFor).count == 1)
    #expect(scene.engine.formerRelays(now: scene.now + EndedPairing.relaysKeptFor + 1).isEmpty)
    #expect(scene.engine.formerRelays(now: scene.now - EndedPairing.relaysKeptFor - 1).isEmpty, "nor for a time that is ahead")
    #expect(scene.engine.relays.isEmpty && scene.engine.remoteSigners == [app.signer], "it is answered where others keep relays")
  }

  @Test("A waiting request is answered when its app is revoked")
  func whatWaitsIsTold() throws {
    let scene = try Scene(trust: .low)
    let app = try scene.pairedApp()
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    let ended = scene.engine.end(app.signer, now: scene.now)
    #expect(ended.count == 1 && scene.engine.pendingRequests.isEmpty)
    #expect(try scene.carryOut(try #require(ended.first).exchange, app) == Self.ended)
  }

  @Test("Anyone who uses a withdrawn link is told so")
  func aWithdrawnLinkSaysSo() throws {
    let scene = try Scene()
    _ = scene.engine.end(scene.signer.publicKey, now: scene.now)
    let app = try App(signer: scene.signer.publicKey)
    #expect(
      try scene.ask(app, "connect", ["", scene.link.secret]) == .error("this link is no longer good: ask for a new one"))
    #expect(scene.engine.openLinks.isEmpty && scene.engine.pairings.isEmpty)
  }

  @Test("At a withdrawn link each app is answered once a minute, and all together a limited number of times")
  func aWithdrawnLinkAnswersFew() throws {
    let scene = try Scene()
    _ = scene.engine.end(scene.signer.publicKey, now: scene.now)
    func answers(_ app: App, _ count: Int) throws -> Int {
      try (0..<count).filter { _ in
        defer { scene.now += 1 }
        return try scene.ask(app, "connect") != .nothing(.linkSpent)
      }.count
    }
    #expect(try answers(try App(signer: scene.signer.publicKey), 60) == 1)
    var all = 0
    let start = scene.now
    while scene.now < start + 50 {
      all += try (0..<9).filter { _ in
        if case .error = try scene.ask(try App(signer: scene.signer.publicKey), "connect") { true } else { false }
      }.count
      scene.now += 1
    }
    #expect(all <= ServedKeyRates.countedStrangers, "\(all)")
  }

  @Test("An ended pairing's key is dropped after 30 days, and the oldest first when there are many")
  func endingsAreLetGo() throws {
    func ended(_ time: Int64, _ isLink: Bool = false) throws -> EndedPairing {
      EndedPairing(
        remoteSigner: try KeyPair.random().publicKey, client: isLink ? nil : try KeyPair.random().publicKey, relays: [],
        endedAt: time)
    }
    let (day, now): (Int64, Int64) = (86_400, 100 * 86_400)
    let (old, last) = (try ended(now - 30 * day - 1), try ended(now - 30 * day))
    #expect(EndedPairing.over([old, last], now: now) == [old])
    let extremes = try [Int64.min, .max, now + 31 * day].map { try ended($0) }
    #expect(EndedPairing.over(extremes, now: now) == extremes, "no time in a record keeps a key for ever, or ends the program")
    let many = try (0..<Int64(EndedPairing.maximumKept)).map { try ended(now - $0) }
    let link = try ended(now, true)
    #expect(EndedPairing.over([link] + many, now: now) == [link], "an unused link goes before a pairing")
    #expect(EndedPairing.over(many + [last], now: now) == [last])
  }

  @Test("An ended pairing's record keeps only what its answer needs")
  func theRecordReadsBack() throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    _ = scene.engine.end(app.signer, now: scene.now)
    let ended = try #require(scene.engine.endedPairings.first)
    #expect(try EndedPairing(record: ended.record) == ended)
    #expect(try JSONValue(parsing: ended.record).members?.map(\.key) == ["signer", "client", "relays", "ended_at"])
    let restarted = SigningEngine()
    restarted.add(ended, signer: scene.signer, now: scene.now)
    let event = try app.request("ping", [], now: scene.now)
    guard case .refused(let refusal) = restarted.receive(event, now: scene.now) else { throw Missing() }
    #expect(try app.read(try #require(refusal.reply).event) == Self.ended)
  }

  @Test("A request sent while the pairing is being stored is answered afterwards")
  func whatComesMeanwhileIsHeld() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let offer = try offer(scene, app)
    #expect(try scene.ask(app, "connect", ["", scene.link.secret]) == .waiting)
    for _ in 0..<3 { #expect(try scene.ask(app, "ping") == .waiting) }
    #expect(try scene.ask(app, "ping") == Self.connectFirst, "four are put aside")
    _ = scene.engine.confirm(offer)
    #expect(
      try takeHeld(scene, app, offer) == [.result("ack"), .result("pong"), .result("pong"), .result("pong")])
  }

  @Test("A request sent after logging out, while the pairing is being stored, is answered as after any logout")
  func leftMeanwhile() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let offer = try offer(scene, app)
    for method in ["logout", "ping"] { #expect(try scene.ask(app, method) == .waiting) }
    _ = scene.engine.confirm(offer)
    #expect(try takeHeld(scene, app, offer) == [.result("ack"), Self.ended])
  }

  @Test("Requests held again because the app reconnected cause no endless loop")
  func heldAnew() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let first = try offer(scene, app)
    #expect(try scene.ask(app, "connect", ["", scene.link.secret]) == .waiting)
    #expect(try scene.ask(app, "ping") == .waiting)
    scene.engine.abandon(first)
    guard case .decided(let exchange)? = scene.engine.takeNextHeld(first.link), case .pair(let second) = exchange.action
    else { throw Missing() }
    #expect(scene.engine.takeNextHeld(first.link) == nil, "it waits for the second pairing")
    _ = scene.engine.confirm(second)
    #expect(try takeHeld(scene, app, second) == [.result("pong")])
  }

  /// The app takes the link; its pairing is being stored.
  private func offer(_ scene: Scene, _ app: App) throws -> PairingOffer {
    let connect = try app.request("connect", ["", .string(scene.link.secret)], now: scene.now)
    guard case .decided(let exchange) = scene.engine.receive(connect, now: scene.now), case .pair(let offer) = exchange.action
    else { throw Missing() }
    return offer
  }

  /// Takes up the requests that are put aside, one after the other, and returns what the app sees of each.
  private func takeHeld(_ scene: Scene, _ app: App, _ offer: PairingOffer) throws -> [Scene.Seen] {
    var seen: [Scene.Seen] = []
    while let intake = scene.engine.takeNextHeld(offer.link) {
      switch intake {
      case .decided(let exchange): seen.append(try scene.carryOut(exchange, app))
      case .refused(let refusal): seen.append(try app.read(try #require(refusal.reply).event))
      case .dropped, .held: throw Missing()
      }
    }
    return seen
  }

  @Test("Held requests are answered even if the pairing could not be stored")
  func whatComesMeanwhileIsHeldInVain() throws {
    let scene = try Scene()
    let app = try App(signer: scene.signer.publicKey)
    let offer = try offer(scene, app)
    #expect(try scene.ask(app, "ping") == .waiting)
    scene.engine.abandon(offer)
    #expect(try takeHeld(scene, app, offer) == [Self.connectFirst])
  }

  @Test(
    "A paired app that sends a malformed request gets an error if it has an id and a method",
    arguments: [
      (#"{"id":"a","method":5,"params":[]}"#, true), (#"{"id":"a","method":"ping","method":"logout"}"#, true),
      (#"{"id":"a","method":"ping","params":["\ud800"]}"#, true), (#"{"id":"a","method":"ping","params":[]} x"#, true),
      (#"{"id":"a"}"#, false), (#"{"id":"a","result":"x"}"#, false), (#"{"id":"a","result":null,"error":"x"}"#, false),
      (#"{"method":"ping"}"#, false), (#"{"id":"a","id":"b","method":"ping"}"#, false), ("[]", false), ("x", false),
    ])
  func whatIsNoRequestIsTold(text: String, isTold: Bool) throws {
    let scene = try Scene()
    let app = try scene.pairedApp()
    let seen = try scene.deliver(try app.envelopeEvent(Array(text.utf8), now: scene.now), to: app)
    #expect(seen == (isTold ? .error("this is no request: {id, method, params} as JSON, each once") : .nothing(.notARequest)))
    let stranger = try App(signer: scene.signer.publicKey)
    #expect(
      try scene.deliver(try stranger.envelopeEvent(Array(text.utf8), now: scene.now), to: stranger) == .nothing(.notARequest))
  }

  @Test("A request that may have been answered before the start uses no key, and its app is told so")
  func whatMayBeAnsweredUsesNoKey() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    func ask(_ method: String, _ parameters: [JSONValue] = []) throws -> Intake {
      scene.engine.receive(try app.request(method, parameters, now: scene.now), isUnsure: true, now: scene.now)
    }
    guard case .refused(let refusal) = try ask("sign_event", [.string(template())]) else { throw Missing() }
    #expect(refusal.reason == .justStarted)
    guard case .error(let text) = try app.read(try #require(refusal.reply).event) else { throw Missing() }
    #expect(text.contains("locked"))
    guard case .decided(let exchange) = try ask("ping") else { throw Missing() }
    #expect(try scene.carryOut(exchange, app) == .result("pong"))
  }

  @Test("An answer that older libraries cannot read is noted for the app")
  func aLongAnswerIsNoted() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    for (length, isLong) in [(60_000, false), (70_000, true)] {
      let content = String(repeating: "a", count: length)
      let event = try app.request("sign_event", [.string(template(content: content))], now: scene.now)
      guard case .decided(let exchange) = scene.engine.receive(event, now: scene.now) else { throw Missing() }
      let outcome = scene.engine.perform(exchange, now: scene.now)
      #expect((outcome.longAnswer != nil) == isLong)
      guard let bytes = outcome.longAnswer else { continue }
      #expect(bytes == (try app.open(try #require(outcome.replies.first).event)).count)
      scene.engine.noteLongAnswer(bytes, to: exchange, now: scene.now)
      let pairing = try #require(scene.engine.takeUsedPairings().first)
      #expect(pairing.longAnswer == LongAnswer(bytes: bytes, at: scene.now))
      #expect(try Pairing(record: pairing.record) == pairing)
    }
  }

  struct Missing: Error {}
}
