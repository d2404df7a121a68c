import Curve
import Encodings
import JSON
import Nostr
import Platform
import Testing

@testable import RemoteSigning

/// An app that writes its requests so that a rule of the owner's should not see them, or should reach further than it was meant.
@Suite struct AppAgainstRulesTests {
  private static func app(
    _ trust: TrustLevel, _ rules: [(Decision.Verdict, String, Remembered)] = []
  ) throws -> (Scene, App) {
    let scene = try Scene(trust: trust)
    let app = try scene.pairedApp()
    var pairing = try #require(scene.engine.pairings.first)
    for (verdict, permission, time) in rules {
      try pairing.grant.set(verdict, #require(Permission(parsing: permission)), for: time, at: scene.now)
    }
    #expect(scene.engine.update(pairing.remoteSigner, name: pairing.name, grant: pairing.grant))
    return (scene, app)
  }

  private static func event(_ kind: Int, _ tags: [[String]], at time: Int64? = nil) -> String {
    let tags = JSONValue.array(tags.map { .array($0.map { .string($0) }) })
    var members: [JSONValue.Member] = [.init("kind", .integer(Int64(kind))), .init("content", ""), .init("tags", tags)]
    if let time { members.append(.init("created_at", .integer(time))) }
    return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
  }

  private static func isSigned(_ seen: Scene.Seen) -> Bool { if case .result = seen { true } else { false } }

  // MARK: a suspension

  private static func approved(_ scene: Scene, _ app: App, _ text: String) throws {
    #expect(try scene.ask(app, "sign_event", [text]) == .waiting)
    let name = try #require(scene.engine.pendingRequests.first?.name)
    #expect(isSigned(try scene.carryOut(try #require(scene.engine.answerPending(name, approve: true, now: scene.now)), app)))
  }

  @Test("A request approved before a lockdown is asked again") func whatWasApprovedBeforeASuspensionIsAskedAnew() throws {
    let (scene, app) = try Self.app(.low)
    try Self.approved(scene, app, template())
    scene.engine.setSuspended(true)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    // Not after it either: what waits under it is asked, and so is the next.
    scene.engine.setSuspended(false)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    #expect(scene.engine.expireAnswers(now: scene.now).count == 1, "gone from storage, too")
  }

  @Test("A request approved before its app was paused is asked again") func whatWasApprovedBeforeOneAppWasSuspendedIsAskedAnew()
    throws
  {
    let (scene, app) = try Self.app(.low)
    try Self.approved(scene, app, template())
    var pairing = try #require(scene.engine.pairings.first)
    pairing.grant.isSuspended = true
    #expect(scene.engine.update(pairing.remoteSigner, name: pairing.name, grant: pairing.grant))
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
  }

  @Test("A restored approval does not hold while the signer is locked down")
  func anApprovalThatIsRestoredUnderASuspensionDoesNotHold() throws {
    let (scene, app) = try Self.app(.low)
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
    let request = try #require(scene.engine.pendingRequests.first)
    _ = scene.engine.withdrawPending(request.name)
    scene.engine.setSuspended(true)
    scene.engine.restore(OwnerAnswer(to: request, isApproved: true, answeredAt: scene.now))
    #expect(try scene.ask(app, "sign_event", [template()]) == .waiting)
  }

  // MARK: names

  /// The name that a request of this event gets unless another had it.
  private static func firstName(in scene: Scene, of id: Bytes32) -> String {
    scene.engine.state.withLock { $0.seen.key.requestName(of: id, attempt: 0) }
  }

  /// A page that is a moment old, or a notice on the desktop, answers by a request's name.
  @Test("The name of an answered request is not given to another one")
  func aNameThatWasAnsweredIsNotGivenToAnotherRequest() throws {
    let (scene, app) = try Self.app(.low)
    let event = try app.request("sign_event", [.string(template(content: "all your keys"))], now: scene.now)
    let id = event.id
    var other = id
    withUnsafeMutableBytes(of: &other) { $0[31] ^= 1 }
    let pairing = try #require(scene.engine.pairings.first)
    let harmless = PendingRequest(
      name: Self.firstName(in: scene, of: id), remoteSigner: app.signer, client: app.key.publicKey, identity: pairing.identity,
      method: .signEvent, parameters: [Array(template(content: "gm").utf8)], kind: 1, rule: .lowTrust, eventID: other,
      receivedAt: scene.now, replies: [])
    scene.engine.restore(harmless)
    #expect(scene.engine.answerPending(harmless.name, approve: false, now: scene.now) != nil)
    #expect(try scene.deliver(event, to: app) == .waiting)
    #expect(scene.engine.answerPending(harmless.name, approve: true, now: scene.now) == nil)
    let name = try #require(scene.engine.pendingRequests.first?.name)
    #expect(name.count == 8 && !name.hasPrefix(harmless.name) && !harmless.name.hasPrefix(name))
    #expect(scene.engine.requestNames(beginningWith: harmless.name) == [harmless.name], "still known")
  }

  @Test("An app cannot choose the name of its request") func anAppCannotChooseTheNameOfARequest() throws {
    let names = try (0..<2).map { _ in
      let (scene, app) = try Self.app(.low)
      let event = try app.request("sign_event", [.string(template(content: "gm"))], now: scene.now)
      #expect(try scene.deliver(event, to: app) == .waiting)
      let name = try #require(scene.engine.pendingRequests.first?.name)
      #expect(name == Self.firstName(in: scene, of: event.id) && !event.id.hex.hasPrefix(name))
      return Self.firstName(in: scene, of: Bytes32 { $0.storeBytes(of: 5, as: Int.self) })
    }
    #expect(names[0] != names[1], "another signer gives another name to the same request")
  }

  // MARK: logins

  private static func webLogin(_ url: String, at time: Int64? = nil) -> String {
    event(27235, [["u", url], ["method", "GET"]], at: time)
  }

  @Test("An app cannot get a rule for a folder by naming an address with a star")
  func anAddressThatEndsInAStarIsNoPlaceWhenAnAppNamesIt() throws {
    let (scene, app) = try Self.app(.full)
    for url in ["https://bank.example/*", "https://bank.example/a?b=/*"] {
      #expect(try scene.ask(app, "sign_event", [Self.webLogin(url)]) == .waiting)
      let request = try #require(scene.engine.pendingRequests.last)
      let facts = try #require(scene.engine.facts(of: request))
      #expect(facts.scope == nil)
      #expect(Grant.offers(for: facts.permission, of: nil) == [.once], "nothing to remember")
    }
  }

  @Test("A rule for a folder does not cover paths that lead out of it") func aFolderIsNotLeftByWaysThatServersUndo() throws {
    let (scene, app) = try Self.app(.full, [(.allow, "sign_event:27235@GET https://host.example/a/*", .hour)])
    #expect(Self.isSigned(try scene.ask(app, "sign_event", [Self.webLogin("https://host.example/a/b")])))
    for way in ["../b", "..;/b", "./../b", "c;x=1/b", "%2e%2e/b", "."] {
      #expect(try scene.ask(app, "sign_event", [Self.webLogin("https://host.example/a/" + way)]) == .waiting, "\(way)")
    }
  }

  @Test("A login that is dated ahead is not covered by a permission for now")
  func aLoginForLaterIsNotCoveredByAnAllowanceOfNow() throws {
    let place = "https://host.example/x"
    let (scene, app) = try Self.app(.full, [(.allow, "sign_event:27235@GET \(place)", .fiveMinutes)])
    for time in [nil, scene.now - 5, scene.now, scene.now + 60] {
      #expect(Self.isSigned(try scene.ask(app, "sign_event", [Self.webLogin(place, at: time)])))
    }
    for time in [scene.now + 61, scene.now + 86_400, 9_007_199_254_740_991] {
      #expect(try scene.ask(app, "sign_event", [Self.webLogin(place, at: time)]) == .waiting)
    }
  }

  @Test("A denied relay is denied under all its addresses") func aDeniedRelayIsDeniedUnderAllItsAddresses() throws {
    let (scene, app) = try Self.app(.full, [(.deny, "sign_event:22242@wss://evil.example", .always)])
    let challenge = ["challenge", "c"]
    for relay in [
      "wss://evil.example/", "wss://EVIL.example:443/x", "wss://evil.example./", "ws://evil.example?a=1", "wss://evil%2eexample",
    ] {
      let seen = try scene.ask(app, "sign_event", [Self.event(22242, [["relay", relay], challenge])])
      #expect(seen == .error("not permitted"), "\(relay)")
    }
    let two = [["relay", "wss://good.example"], ["relay", "wss://evil.example"], challenge]
    #expect(try scene.ask(app, "sign_event", [Self.event(22242, two)]) == .error("not permitted"))
    #expect(Self.isSigned(try scene.ask(app, "sign_event", [Self.event(22242, [["relay", "wss://good.example"], challenge])])))
  }

  @Test(
    "A denied address is denied in all its forms",
    arguments: [
      "127.1", "0x7f000001", "2130706433", "0177.1", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1:7777",
      "1.2.3.4.5",
    ])
  func aDeniedAddressIsDeniedInAllItsForms(host: String) throws {
    let (scene, app) = try Self.app(
      .full, [(.deny, "sign_event:22242@ws://127.0.0.1", .always), (.deny, "sign_event:27235@GET http://127.0.0.1", .always)])
    let relay = Self.event(22242, [["relay", "ws://\(host)/x"], ["challenge", "c"]])
    #expect(try scene.ask(app, "sign_event", [relay]) == .error("not permitted"))
    #expect(try scene.ask(app, "sign_event", [Self.webLogin("http://\(host)/x")]) == .error("not permitted"))
  }

  // MARK: follow lists

  @Test("Follows with keys in capitals count as removed") func followsInCapitalsCountAsDropped() throws {
    let keys = try (0..<20).map { _ in try KeyPair.random().publicKey }
    let upper = FollowList(tags: keys.map { ["p", $0.hex.uppercased()] })
    #expect(FollowChange(from: FollowList(keys: keys), to: upper) == .change(before: 20, dropped: 20, kept: 0))
  }
}
