import AuditLog
import Curve
import DaemonSupport
import Encodings
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import TestSupport
import Testing
import Vault

@testable import OwnerOperations
@testable import Signer

/// Each way an answer can come, and what it does.
@Suite struct ApprovalTests {
  /// A signer whose app of low trust waits for so many likes.
  static func likes(_ count: Int) throws -> (Signer, App, names: [String]) {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    for n in 0..<count { try signer.deliver(app, "sign_event", [like(n)]) }
    return (signer, app, signer.core.engine.pendingRequests.map(\.name))
  }

  static func like(_ n: Int) -> String { Account.template(7, "+", [["e", "\(n)"]]) }

  static func texts(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }

  static func rules(_ signer: Signer) throws -> [String] {
    try signer.entries(.requestDecided).filter { $0.method == .signEvent && $0.decision != .ask }
      .compactMap { $0.rule?.description }
  }

  @Test("Twelve requests are approved in one operation, and each is recorded")
  func manyAreAnsweredInOneOperationAndEachIsRecorded() throws {
    let (signer, app, names) = try Self.likes(12)
    let result = try signer.operations.ask("request/approve", ["ids": Self.texts(names)])
    #expect(result == ["answered": Self.texts(names), "missing": [], "ok": true, "also": []])
    let sent = try unwrap(signer.relay.sent(13)?.suffix(12))
    for reply in sent { guard case .result = try app.read(reply.event) else { throw Missing() } }
    #expect(try Self.rules(signer) == Array(repeating: "you approved this request (command)", count: 12))
    #expect(signer.core.engine.pendingRequests.isEmpty)
    signer.close()
  }

  @Test("Whoever approved a request learns whether it was done, and whether the app's answer was taken")
  func whatBecameOfAnApprovalIsTold() throws {
    let (signer, app, names) = try Self.likes(2)
    func outcome(_ name: String) throws -> JSONValue? {
      signer.settle()
      return try signer.operations.ask("request/outcome", ["ids": Self.texts([name])])["outcomes"]?[0]
    }
    #expect(try outcome(names[0]) == nil, "it still waits")
    try signer.operations.ask("request/approve", ["id": .string(names[0])])
    #expect(try outcome(names[0]) == ["id": .string(names[0]), "state": "delivered"])
    signer.relay.take(false)
    try signer.operations.ask("request/approve", ["id": .string(names[1])])
    #expect(try outcome(names[1])?["state"] == "undelivered")
    signer.relay.take(true)
    try signer.deliver(app, "nip44_decrypt", [app.key.publicKey.hex, "A" + String(repeating: "g", count: 131)])
    let broken = try unwrap(signer.core.engine.pendingRequests.first?.name)
    try signer.operations.ask("request/approve", ["id": .string(broken)])
    #expect(try outcome(broken)?["state"] == "failed" && outcome(broken)?["failure"]?.string?.isEmpty == false)
    signer.close()
  }

  @Test("The answer to one request names those like it that still wait") func whatIsLikeTheAnsweredOneIsNamed() throws {
    let (signer, app, names) = try Self.likes(3)
    try signer.deliver(app, "sign_event", [Account.template(1, "a note", [])])
    func deny(_ request: JSONValue) throws -> JSONValue { try signer.operations.ask("request/deny", request) }
    #expect(try deny(["id": .string(names[0])])["alike"] == Self.texts([names[1], names[2]]))
    #expect(try deny(["ids": Self.texts([names[1]])])["alike"] == nil, "several were named")
    #expect(try deny(["id": .string(names[2])])["alike"] == nil, "only a note is left")
    signer.close()
  }

  @Test("A browser approves several requests at once only if they are of one app and one everyday kind")
  func aBrowserApprovesOnlyAlikeRequestsAtOnce() throws {
    let (signer, app, likes) = try Self.likes(2)
    for (n, kind) in [5, 5, 1].enumerated() {
      try signer.deliver(app, "sign_event", [Account.template(kind, "", [["e", "\(n)"]])])
    }
    let other = try signer.pairedApp(trust: "low")
    try signer.deliver(other, "sign_event", [Self.like(9)])
    let queue = signer.core.engine.pendingRequests
    func named(_ kind: Int) -> [String] { queue.filter { $0.kind == kind }.map(\.name) }
    func approve(_ names: [String], _ channel: OwnerChannel) throws -> JSONValue {
      try signer.operations.perform(.init("request/approve", ["ids": Self.texts(names)]), via: channel).json
    }
    for refused in [named(5), likes + named(1), named(7)] {
      #expect(throws: OperationError.notAlike) { try approve(refused, .console) }
    }
    #expect(signer.core.engine.pendingRequests.count == queue.count, "a refusal answers none of them")
    #expect(try approve(likes, .console)["answered"] == Self.texts(likes))
    #expect(try approve(named(5), .command)["answered"] == Self.texts(named(5)), "at the command line each was named")
    signer.close()
  }

  @Test("Of several requests, missing ones are named and the others are answered")
  func whatOfManyIsNotThereIsNamedAndTheRestIsAnswered() throws {
    let (signer, _, names) = try Self.likes(2)
    let ids = [names[0], "ffffffff00", String(names[1].prefix(6)), names[0]]
    let result = try signer.operations.ask("request/deny", ["ids": Self.texts(ids)])
    #expect(result["answered"] == Self.texts(names))
    #expect(result["ok"] == false)
    #expect(result["missing"] == [["id": "ffffffff00", "why": "no waiting request has that id"]])
    #expect(exit(signer.operations, "request/approve", ["ids": Self.texts(names)]) == nil, "a list of nothing is no fault")
    signer.close()
  }

  @Test("A request can be named by the first digits of its name, at least four")
  func aRequestIsNamedByFourDigitsWhereTheyAreItsAlone() throws {
    let (signer, _, names) = try Self.likes(2)
    let name = names[0]
    for short in ["", String(name.prefix(3)), name + "00"] {
      #expect(exit(signer.operations, "request/show", ["id": .string(short)]) == (short.utf8.count < 4 ? .usage : .notFound))
    }
    #expect(try signer.operations.ask("request/show", ["id": .string(String(name.prefix(7)))])["id"]?.string == name)
    signer.close()
  }

  @Test("The digits of a request that is gone never approve another request", arguments: [4, 6, 8])
  func digitsOfAGoneRequestAnswerNoOther(count: Int) throws {
    let (signer, _, names) = try Self.likes(1)
    let shown = String(names[0].prefix(count))
    var other = try unwrap(signer.core.engine.pendingRequests.first)
    #expect(exit(signer.operations, "request/deny", ["id": .string(names[0])]) == nil)
    // Earlier versions gave a second request the same digits with more behind them.
    other = PendingRequest(
      name: names[0] + "00112233", remoteSigner: other.remoteSigner, client: other.client, identity: other.identity,
      method: other.method, parameters: [Array(Account.template(0, "{}", []).utf8)], kind: 0, rule: other.rule,
      eventID: Bytes32.fresh(), receivedAt: other.receivedAt, replies: other.replies)
    #expect(signer.core.store.save(other))
    signer.core.engine.restore(other)
    let refusal = #expect(throws: OperationError.self) {
      try signer.operations.ask("request/approve", ["id": .string(shown)])
    }
    #expect(refusal?.error == "2 request ids begin with \(shown). Some of these requests may be gone.")
    #expect(try signer.operations.ask("request/approve", ["ids": Self.texts([shown])])["answered"] == [])
    #expect(signer.core.engine.pendingRequests.map(\.eventID) == [other.eventID], "it waits on")
    signer.close()
  }

  @Test(
    "The log says whether the owner answered by command, console or desktop",
    arguments: [OwnerChannel.command, .console, .desktop])
  func theLogTellsHowTheOwnerAnswered(channel: OwnerChannel) throws {
    let (signer, _, names) = try Self.likes(2)
    for (name, verb) in zip(names, ["approve", "deny"]) {
      _ = try signer.operations.perform(.init("request/\(verb)", ["id": .string(name)]), via: channel)
    }
    #expect(
      try Self.rules(signer) == [
        "you approved this request (\(channel.rawValue))", "you denied this request (\(channel.rawValue))",
      ])
    signer.close()
  }

  @Test("Of several answers to one request at the same time, exactly one counts")
  func ofTwoChannelsThatAnswerAtOnceOneDoes() throws {
    let (signer, app, names) = try Self.likes(1)
    let done = Locked<[OperationError.Exit?]>([])
    let threads = (0..<8).compactMap { n in
      SystemThread.start {
        let verb = n % 2 == 0 ? "approve" : "deny"
        let result = exit(signer.operations, "request/\(verb)", ["id": .string(names[0])])
        done.withLock { $0.append(result) }
      }
    }
    for thread in threads { join(thread) }
    #expect(done.withLock { $0.filter { $0 == nil }.count } == 1)
    #expect(done.withLock { $0.filter { $0 == .notFound }.count } == 7)
    signer.settle()
    #expect(signer.relay.sent.count == 2)
    _ = app
    signer.close()
  }

  @Test("An approval fails while locked and the request keeps waiting; a denial works")
  func anApprovalWhileLockedFailsAndTheRequestWaits() throws {
    let (signer, app, names) = try Self.likes(2)
    signer.core.sessionLock.lock("a test")
    #expect(exit(signer.operations, "request/approve", ["id": .string(names[0])]) == .locked)
    #expect(exit(signer.operations, "request/approve", ["ids": Self.texts(names)]) == .locked)
    #expect(signer.core.engine.pendingRequests.map(\.name) == names && signer.relay.sent.count == 1)
    #expect(exit(signer.operations, "request/deny", ["id": .string(names[0])]) == nil, "a refusal needs no key")
    #expect(try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error("user rejected"))
    signer.close()
  }

  @Test("A remembered answer becomes a rule and also decides similar waiting requests")
  func anAnswerIsRememberedAsARuleAndReachesWhatIsAlike() throws {
    let (signer, app, names) = try Self.likes(3)
    try signer.deliver(app, "sign_event", [note()])
    let result = try signer.operations.ask("request/approve", ["id": .string(names[1]), "remember": "always"])
    #expect(result["answered"] == Self.texts([names[1]]) && result["also"] == Self.texts([names[0], names[2]]))
    #expect(try signer.ask(app, "sign_event", [Self.like(9)]) != .error("not permitted"))
    #expect(signer.core.engine.pendingRequests.map(\.kind) == [1])
    signer.close()
  }

  @Test("An answer that may not be remembered is refused, and nothing is answered")
  func whatMayNotBeRememberedIsAUsageErrorAndNothingIsAnswered() throws {
    let (signer, app, names) = try Self.likes(1)
    try signer.deliver(app, "sign_event", [Account.template(27235, "", [["u", "https://x.example/"], ["method", "GET"]])])
    let login = try unwrap(signer.core.engine.pendingRequests.last?.name)
    for given: JSONValue in [
      ["id": .string(login), "remember": "always"], ["id": .string(login), "remember": "1h", "permission": "sign_event:27235"],
      ["id": .string(names[0]), "remember": "forever"], ["id": .string(names[0]), "remember": "30s"],
      ["id": .string(names[0]), "remember": "always", "permission": "sign_event:0"],
      ["id": .string(names[0]), "remember": "always", "permission": "nonsense"], ["ids": []], [:],
    ] {
      #expect(exit(signer.operations, "request/approve", given) == .usage, "\(given)")
    }
    #expect(signer.core.engine.pendingRequests.count == 2 && signer.relay.sent.count == 1)
    signer.close()
  }

  @Test("An approval is remembered for any time up to the longest that is offered; a longer one is refused with that")
  func anApprovalIsRememberedForAnyTime() throws {
    let signer = try Signer()
    let app = try signer.pairedApp(trust: "low")
    try signer.deliver(app, "sign_event", [Account.template(27235, "", [["u", "https://x.example/"], ["method", "GET"]])])
    let login = JSONValue.string(try unwrap(signer.core.engine.pendingRequests.first?.name))
    let refused = failure { try signer.operations.ask("request/approve", ["id": login, "remember": "8d"]) }
    #expect(refused?.error == "For sign_event:27235@GET https://x.example, an approval lasts 1w at most.")
    #expect(signer.core.engine.pendingRequests.count == 1)
    try signer.operations.ask("request/approve", ["id": login, "remember": "3d"])
    let rule = try unwrap(try signer.operations.ask("client/show", ["client": "tester"])["rules"]?[0])
    #expect(try unwrap(rule["expires"]?.integer) - unwrap(rule["made"]?.integer) == 3 * 86_400)
    signer.close()
  }

  @Test("A browser remembers an approval only for requests like the one shown")
  func aBrowserRemembersNothingWider() throws {
    let (signer, app, names) = try Self.likes(1)
    try signer.deliver(app, "sign_event", [note()])
    let wide: [JSONValue.Member] = [
      .init("id", .string(names[0])), .init("remember", "always"), .init("permission", "sign_event"),
    ]
    let refused = failure { try signer.operations.perform(ControlRequest("request/approve", .object(wide)), via: .console) }
    #expect(refused?.exit == .usage && signer.core.engine.pendingRequests.count == 2)
    // On the command line, the owner may make a wider rule.
    _ = try signer.operations.perform(ControlRequest("request/approve", .object(wide)), via: .command)
    #expect(signer.core.engine.pendingRequests.isEmpty)
    signer.close()
  }

  @Test("Requests that came within one second keep their order after a restart") func theOrderSurvivesARestart() throws {
    let (signer, _, names) = try Self.likes(12)
    let again = try signer.reopened()
    #expect(again.core.engine.pendingRequests.map(\.name) == names)
    again.close()
  }

  @Test("A request repeated after a restart gets the same answer", arguments: ["approve", "deny"])
  func aRetryAfterARestartGetsTheSameAnswer(verb: String) throws {
    let (signer, app, names) = try Self.likes(1)
    try signer.operations.ask("request/\(verb)", ["id": .string(names[0])])
    let first = try app.read(try unwrap(signer.relay.sent(2)?.last).event)
    let again = try signer.reopened()
    let second = try again.ask(app, "sign_event", [Self.like(0)])
    switch (first, second) {
    case (.result(let a), .result(let b)):
      #expect(try Event(parsing: Array(a.utf8)).id == Event(parsing: Array(b.utf8)).id)
    default: #expect(first == second)
    }
    #expect(again.core.engine.pendingRequests.isEmpty)
    again.close()
  }

  /// As kill -9 leaves it between the record of the approval and the answer.
  @Test("A request repeated after a crash gets the answer that was recorded")
  func aRetryAfterACrashGetsTheAnswerThatWasRecorded() throws {
    let (signer, app, names) = try Self.likes(1)
    let now = Clock.milliseconds
    let exchange = try unwrap(signer.core.engine.answerPending(names[0], approve: true, now: now / 1000))
    try signer.core.log.appendAndWait(.decided(exchange, time: now, via: .console))
    let again = try signer.reopened()
    guard case .result(let text) = try again.ask(app, "sign_event", [Self.like(0)]) else { throw Missing() }
    #expect(try Event(parsing: Array(text.utf8)).createdAt == now / 1000)
    let third = try again.reopened()
    guard case .result(let same) = try third.ask(app, "sign_event", [Self.like(0)]) else { throw Missing() }
    #expect(try Event(parsing: Array(text.utf8)).id == Event(parsing: Array(same.utf8)).id, "it was kept for the next time, too")
    third.close()
  }

  @Test("A request repeated after an unrecorded approval asks the owner again")
  func aRetryAfterAnUnrecordedApprovalIsAskedAgain() throws {
    let (signer, app, names) = try Self.likes(1)
    signer.core.log.close()
    try signer.operations.ask("request/approve", ["id": .string(names[0])])
    #expect(
      try app.read(try unwrap(signer.relay.sent(2)?.last).event) == .error("the signer could not record the request; try again"))
    let repeated = signer.core.engine.receive(try app.request("sign_event", [Self.like(0)], now: signer.now), now: signer.now)
    guard case .decided(let exchange) = repeated, case .wait = exchange.action else {
      Issue.record("the approval that was not recorded counts")
      return
    }
    let again = try signer.reopened()
    try again.deliver(app, "sign_event", [Self.like(0)])
    #expect(again.core.engine.pendingRequests.count == 1 && again.relay.sent.isEmpty)
    again.close()
  }

  @Test("A request that nobody answers expires, its app is told, and the log records it")
  func whatNobodyAnswersEndsWithAWordToItsAppAndAnEntry() throws {
    let (signer, app, _) = try Self.likes(1)
    let ended = Locked(0)
    signer.core.signerEvents.subscribe { if case .requestEnded(_, nil) = $0 { ended.withLock { $0 += 1 } } }
    signer.stopClock(at: signer.now + PendingRequest.lifetime + 10)
    signer.service.dropExpired()
    #expect(
      try app.read(try unwrap(signer.relay.sent(2)?.last).event)
        == .error("the signer's owner did not answer in time; ask again"))
    #expect(try signer.entries(.requestDropped).map { $0.rule?.description } == ["nobody answered in time"])
    #expect(try signer.storedRequests().isEmpty && ended.withLock { $0 } == 1)
    signer.close()
  }

  @Test("Requests that end with their app are recorded and reported") func whatEndsWithItsAppIsRecordedAndTold() throws {
    let (signer, _, names) = try Self.likes(2)
    let ended = Locked<[String]>([])
    signer.core.signerEvents.subscribe { if case .requestEnded(let name, nil) = $0 { ended.withLock { $0.append(name) } } }
    try signer.operations.ask("client/revoke", ["client": "tester"])
    #expect(ended.withLock { $0 } == names)
    #expect(try signer.entries(.requestDropped).map { $0.rule?.description } == ["you revoked its app", "you revoked its app"])
    signer.close()
  }

  @Test("Old answers are deleted from the vault") func oldAnswersLeaveTheVault() throws {
    let (signer, _, names) = try Self.likes(1)
    try signer.operations.ask("request/approve", ["id": .string(names[0])])
    signer.settle()
    #expect(try signer.core.vault.ids(.pendingRequest).count == 1)
    signer.stopClock(at: signer.now + OwnerAnswer.approvalWindow + 10)
    signer.service.dropExpired()
    #expect(try signer.core.vault.ids(.pendingRequest).isEmpty)
    signer.close()
  }
}
