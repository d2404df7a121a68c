import Curve
import Encodings
import JSON
import Nostr
import Testing

@testable import RemoteSigning

/// A program on this machine that asks an engine.
private final class Program {
  static let caller = LocalCaller.program(
    CallingProgram(user: 1000, path: "/usr/bin/notes", digest: Bytes32(filling: { $0.copyBytes(from: [7]) })))

  let engine = SigningEngine()
  let identity: KeyPair
  let pairing: Pairing
  var now = Scene.start

  init(_ grant: Grant) throws {
    identity = try KeyPair.random()
    engine.setIdentities([identity])
    let (signer, client) = (try KeyPair.random(), try KeyPair.random())
    let offer = engine.offer(
      Self.caller, named: "notes", identity: identity.publicKey, grant: grant, remoteSigner: signer.publicKey,
      client: client.publicKey, now: now)
    engine.add(offer.pairing, signer: signer, now: now)
    pairing = offer.pairing
  }

  /// A program that nobody let in yet.
  convenience init() throws {
    var grant = Grant(trust: .low)
    grant.isFirstUse = true
    try self.init(grant)
  }

  func ask(_ method: Method, _ parameters: [String] = []) throws -> Scene.Seen {
    switch engine.receive(LocalRequest(method, parameters.map { Array($0.utf8) }), at: pairing.remoteSigner, now: now) {
    case .dropped(let reason): return .nothing(reason)
    case .refused(let refusal): return try Self.read(refusal.reply)
    case .held: return .waiting
    case .decided(let exchange): return try carryOut(exchange)
    }
  }

  func carryOut(_ exchange: Exchange) throws -> Scene.Seen {
    guard let reply = engine.perform(exchange, now: now).replies.last else { return .waiting }
    return try Self.read(reply)
  }

  func approve() throws -> Scene.Seen {
    let name = try #require(engine.pendingRequests.first?.name)
    return try carryOut(try #require(engine.answerPending(name, approve: true, now: now)))
  }

  private static func read(_ reply: Reply?) throws -> Scene.Seen {
    let local = try #require(reply?.local)
    let answer = try JSONValue(parsing: local)
    if let error = answer["error"]?.string { return .error(error) }
    return .result(try #require(answer["result"]?.string))
  }
}

@Suite struct LocalRequestTests {
  private static let note = #"{"kind":1,"content":"hello","tags":[]}"#

  @Test("Whatever a new program asks waits for the owner, the public key included")
  func aNewProgramWaits() throws {
    for method in [Method.getPublicKey, .signEvent] {
      let program = try Program()
      #expect(try program.ask(method, method == .signEvent ? [Self.note] : []) == .waiting)
      #expect(program.engine.pendingRequests.map(\.rule) == [.firstUse])
    }
  }

  @Test("The first request is carried out once the owner approves it") func theFirstRequestIsCarriedOut() throws {
    let program = try Program()
    #expect(try program.ask(.getPublicKey) == .waiting)
    #expect(try program.approve() == .result(program.identity.publicKey.hex))
    #expect(try program.ask(.signEvent, [Self.note]) == .waiting)
    guard case .result(let text) = try program.approve() else { throw Scene.SceneError.notPaired }
    try Event(parsing: Array(text.utf8)).verify()
  }

  @Test("A program that was let in learns the public key and is decided by its trust", arguments: TrustLevel.allCases)
  func anAdmittedProgramIsDecidedByTrust(trust: TrustLevel) throws {
    let program = try Program(Grant(trust: trust))
    #expect(try program.ask(.getPublicKey) == .result(program.identity.publicKey.hex))
    let seen = try program.ask(.signEvent, [Self.note])
    if trust == .low { #expect(seen == .waiting) } else if case .result = seen {} else { Issue.record("not signed: \(seen)") }
  }

  @Test("Full trust does not help a program that was not let in") func firstUseGoesBeforeTrust() throws {
    var grant = Grant(trust: .full, allowed: [try #require(Permission(parsing: "sign_event:1"))])
    grant.isFirstUse = true
    #expect(try Program(grant).ask(.signEvent, [Self.note]) == .waiting)
  }

  @Test("A locked signer lets no program in, because that allows more") func lettingInIsLooser() {
    var unmet = Grant(trust: .low)
    unmet.isFirstUse = true
    #expect(Grant(trust: .low).isLooser(than: unmet) && !unmet.isLooser(than: Grant(trust: .low)))
  }

  @Test("A pairing of an app over relays takes no local request") func anAppIsNoProgram() throws {
    let scene = try Scene()
    _ = try scene.pairedApp()
    guard
      case .dropped(.notPaired) = scene.engine.receive(LocalRequest(.getPublicKey), at: scene.signer.publicKey, now: scene.now)
    else { throw Scene.SceneError.notPaired }
  }

  @Test("No event gets an answer in the name of a program") func noEventSpeaksForAProgram() throws {
    let program = try Program(Grant(trust: .full))
    let forger = try App(signer: program.pairing.remoteSigner)
    let event = try forger.request("sign_event", [.string(Self.note)], now: program.now)
    let stolen = Event(
      id: event.id, pubkey: program.pairing.client, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
      content: event.content, signature: event.signature)
    guard case .dropped(.badSignature) = program.engine.receive(stolen, now: program.now) else {
      throw Scene.SceneError.notPaired
    }
    guard case .refused = program.engine.receive(event, now: program.now) else { throw Scene.SceneError.notPaired }
  }

  @Test("No relay is asked for messages to a program's key") func aProgramsKeyIsNotListenedFor() throws {
    let program = try Program()
    #expect(program.engine.remoteSigners.isEmpty && program.engine.transportKeys.isEmpty && program.engine.relays.isEmpty)
  }

  @Test("A program that asks too often gets an error and not silence") func aFloodIsAnswered() throws {
    let program = try Program(Grant(trust: .low))
    var seen: [Scene.Seen] = []
    for _ in 0..<5_000 where seen.last != .error(ReplyText.tooMany) { seen.append(try program.ask(.ping)) }
    #expect(seen.first == .result("pong") && seen.contains(.error(ReplyText.tooMany)))
  }

  @Test("A program that was not let in asks one thing at a time, and takes no place of others")
  func aNewProgramAsksOneThing() throws {
    let program = try Program()
    #expect(try program.ask(.getPublicKey) == .waiting)
    #expect(try program.ask(.signEvent, [Self.note]) == .error(ReplyText.queueFull))
  }

  @Test(
    "A caller that was not let in waits with whatever it sends, and learns no key from its own mistakes",
    arguments: ["no event", #"{"kind":1,"content":"","tags":[],"pubkey":"\#(String(repeating: "79", count: 32))"}"#])
  func mistakesTellNothing(event: String) throws {
    let program = try Program()
    #expect(try program.ask(.signEvent, [event]) == .waiting)
    #expect(program.engine.pendingRequests.map(\.rule) == [.firstUse])
    guard case .error = try program.approve() else { throw Scene.SceneError.notPaired }
  }

  @Test("The pages and links of one site take few places of those who were not let in, and leave some to programs")
  func placesOfSites() throws {
    let (engine, identity) = (SigningEngine(), try KeyPair.random())
    engine.setIdentities([identity])
    func waits(_ caller: LocalCaller) throws -> Bool {
      let (signer, client) = (try KeyPair.random(), try KeyPair.random())
      let offer = engine.offer(
        caller, named: "c", identity: identity.publicKey, grant: .ofUnmet, remoteSigner: signer.publicKey,
        client: client.publicKey, now: Scene.start)
      engine.add(offer.pairing, signer: signer, now: Scene.start)
      let before = engine.pendingRequests.count
      _ = engine.receive(LocalRequest(.getPublicKey), at: signer.publicKey, now: Scene.start)
      return engine.pendingRequests.count > before
    }
    func site(_ host: String) -> LocalCaller {
      .site(CallingSite(user: 1, origin: WebOrigin("https://\(host)")!, extensionID: "x", browser: "/b"))
    }
    let ofOne = try (0..<40).map { try waits(site("s\($0).evil.example")) }
    #expect(ofOne.filter { $0 }.count == PendingRequest.maximumFirstUsesOfGroup)
    let links = try (0..<40).map { try waits(.link(CallingLink(user: 1, callback: "https://s\($0).evil.example")!)) }
    #expect(links.filter { $0 }.count == PendingRequest.maximumFirstUsesOfGroup)
    #expect(try waits(site("honest.example")))
    for number in 0..<40 { _ = try waits(site("\(number).example")) }
    #expect(engine.pendingRequests.count == PendingRequest.maximumFirstUsesOfSites)
    #expect(try waits(Program.caller))
  }

  @Test("Of many that ask the same, none is given up for a newer one") func noneIsGivenUp() throws {
    let program = try Program()
    for _ in 0..<PendingRequest.maximumReplies { #expect(try program.ask(.getPublicKey) == .waiting) }
    #expect(try program.ask(.getPublicKey) == .error(ReplyText.queueFull))
    #expect(program.engine.pendingRequests.first?.replies.count == PendingRequest.maximumReplies)
  }

  @Test("A request that is repeated while it waits stays one request") func aRepetitionIsOneRequest() throws {
    let program = try Program()
    for _ in 0..<3 { #expect(try program.ask(.signEvent, [Self.note]) == .waiting) }
    #expect(program.engine.pendingRequests.count == 1 && program.engine.pendingRequests[0].replies.count == 3)
  }

  @Test("A program's waiting request reads back from storage as it was") func aStoredRequestIsTheSame() throws {
    let program = try Program()
    _ = try program.ask(.signEvent, [Self.note])
    let waiting = try #require(program.engine.pendingRequests.first)
    #expect(try PendingRequest(record: waiting.record) == waiting && waiting.replies.first?.envelope == nil)
  }

  @Test("Errors of the engine have codes for programs") func errorsHaveCodes() {
    let codes: [(String, AnswerCode)] = [
      (ReplyText.userRejected, .denied), (ReplyText.notPermitted, .notAllowed), (ReplyText.locked, .locked),
      (ReplyText.justStarted, .locked), (ReplyText.tooMany, .rateLimited), (ReplyText.queueFull, .rateLimited),
      (ReplyText.retired, .noKey), (ReplyText.unanswered, .expired), (ReplyText.tooLong, .tooLarge),
      (ReplyText.unsupported("x"), .unsupported), (ReplyText.notAKey, .invalid), ("", .invalid),
    ]
    for (text, code) in codes { #expect(AnswerCode(of: text) == code, "\(text)") }
  }
}
