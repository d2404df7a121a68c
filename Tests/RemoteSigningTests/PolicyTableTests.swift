import Curve
import Encodings
import Nostr
import RemoteSigning
import TestSupport
import Testing

/// The rules as a table: one line a case. A rule of the owner is written `+permission` (allow), `-permission` (deny) or
/// `?permission` (ask), with ` for 1h` behind it where it ends; all were said at 10:00, and the request comes at the minute given.
@Suite struct PolicyTableTests {
  typealias Rules = [String]

  static let alice = "a0434d9e47f3c86235477c7b1ae6ae5d3442d49b1943c2b752a68e2a47e247c7"
  static let bob = "b0635d6a9851d3aed0cd6c495b282167acf761729078d975fc341b22650b07b9"
  static let upload = "POST https://host.example/upload"

  struct Case: Sendable, CustomTestStringConvertible {
    let trust: TrustLevel
    let rules: Rules
    let asked: Asked
    let minute: Int64
    let verdict: Decision.Verdict
    let rule: Rule

    init(_ trust: TrustLevel, _ rules: Rules, _ asked: Asked, _ verdict: Decision.Verdict, _ rule: Rule, minute: Int64 = 1) {
      (self.trust, self.rules, self.asked, self.minute) = (trust, rules, asked, minute)
      (self.verdict, self.rule) = (verdict, rule)
    }

    var testDescription: String { "\(trust) \(rules) \(asked) after \(minute) min: \(verdict) by \(rule.name)" }
  }

  enum Asked: Sendable {
    case ping, sign(Int), decrypt(String), encryptToSelf, decryptOwn(Method), dated(Int, ahead: Int64)
    case file(String, x: Bool = true, server: String? = nil, for: Int64? = 3600)
    case webLogin(String), relayLogin(String), ownRelayLogin(String)
    case follows(before: Int, dropped: Int, kept: Int), firstFollows, otherPayment

    var facts: RequestFacts {
      switch self {
      case .ping: RequestFacts(method: .ping)
      case .sign(let kind): RequestFacts(method: .signEvent, kind: kind)
      case .decrypt(let peer): RequestFacts(method: .nip44Decrypt, scope: PublicKey(hex: peer).map { .counterparty($0) })
      case .encryptToSelf:
        RequestFacts(method: .nip44Encrypt, scope: PublicKey(hex: alice).map { .counterparty($0) }, isSelf: true)
      case .decryptOwn(let method):
        RequestFacts(method: method, scope: PublicKey(hex: alice).map { .counterparty($0) }, isSelf: true)
      case .dated(let kind, let ahead): Self.dated(RequestFacts(method: .signEvent, kind: kind), ahead)
      case .file(let verb, let x, let server, let seconds): Self.file(verb, x, server, seconds)
      case .webLogin(let place):
        RequestFacts(method: .signEvent, kind: 27235, scope: Permission(parsing: "sign_event:27235@\(place)")?.scope)
      case .relayLogin(let relay): RequestFacts(method: .signEvent, kind: 22242, scope: .relay(named: relay))
      case .ownRelayLogin(let relay):
        RequestFacts(method: .signEvent, kind: 22242, scope: .relay(named: relay), isKnownRelay: true)
      case .follows(let before, let dropped, let kept):
        RequestFacts(method: .signEvent, kind: 3, follows: .change(before: before, dropped: dropped, kept: kept))
      case .otherPayment: Self.profilePayingElsewhere
      case .firstFollows: RequestFacts(method: .signEvent, kind: 3, follows: .unknown)
      }
    }

    private static let profilePayingElsewhere = {
      var facts = RequestFacts(method: .signEvent, kind: 0)
      facts.changesPayment = true
      return facts
    }()

    private static func dated(_ facts: RequestFacts, _ ahead: Int64) -> RequestFacts {
      var facts = facts
      facts.datedAt = ahead == .max ? .max : ten + 60 + ahead
      return facts
    }

    private static func file(_ verb: String, _ x: Bool, _ server: String?, _ seconds: Int64?) -> RequestFacts {
      var facts = RequestFacts(
        method: .signEvent, kind: 24242,
        scope: Permission(parsing: "sign_event:24242@\(verb)\(server.map { " " + $0 } ?? "")")?.scope)
      facts.file = FileLogin(verb: verb, servers: server.map { [$0] } ?? [], namesFiles: x, expiresAt: seconds.map { ten + $0 })
      return facts
    }
  }

  static let cases: [Case] = [
    // What reveals nothing and signs nothing.
    Case(.low, [], .ping, .allow, .alwaysAllowed),
    // The trust levels.
    Case(.full, [], .sign(1), .allow, .fullTrust),
    Case(.full, [], .sign(0), .allow, .fullTrust),
    Case(.medium, [], .sign(1), .allow, .mediumTrust),
    Case(.medium, [], .sign(0), .ask, .protectedKind),
    Case(.medium, [], .sign(5), .ask, .protectedKind),
    Case(.medium, [], .sign(10002), .ask, .protectedKind),
    Case(.medium, [], .sign(30078), .ask, .protectedKind),
    Case(.low, [], .sign(1), .ask, .lowTrust),
    // The owner's word: the narrower permission holds.
    Case(.low, ["+sign_event:1"], .sign(1), .allow, .ownerAllowed),
    Case(.low, ["+sign_event:1"], .sign(7), .ask, .lowTrust),
    Case(.low, ["+sign_event"], .sign(7), .allow, .ownerAllowed),
    Case(.low, ["+sign_event"], .sign(0), .ask, .lowTrust),
    Case(.full, ["-sign_event"], .sign(1), .deny, .ownerDenied),
    Case(.full, ["-sign_event", "+sign_event:1"], .sign(1), .allow, .ownerAllowed),
    Case(.full, ["+sign_event", "-sign_event:1"], .sign(1), .deny, .ownerDenied),
    Case(.full, ["?sign_event:1"], .sign(1), .ask, .ownerAsks),
    Case(.full, ["-sign_event", "?sign_event:1"], .sign(1), .ask, .ownerAsks),
    // … and ends when it was said to end.
    Case(.low, ["+sign_event:1 for 5m"], .sign(1), .allow, .ownerAllowed, minute: 4),
    Case(.low, ["+sign_event:1 for 5m"], .sign(1), .ask, .lowTrust, minute: 5),
    Case(.full, ["-sign_event:1 for 1h"], .sign(1), .deny, .ownerDenied, minute: 59),
    Case(.full, ["-sign_event:1 for 1h"], .sign(1), .allow, .fullTrust, minute: 60),
    // What was said for a time lies over what was said for good.
    Case(.medium, ["-sign_event:1", "+sign_event:1 for 1h"], .sign(1), .allow, .ownerAllowed, minute: 59),
    Case(.medium, ["-sign_event:1", "+sign_event:1 for 1h"], .sign(1), .deny, .ownerDenied, minute: 60),
    Case(.low, ["+sign_event:1", "-sign_event:1 for 1h"], .sign(1), .deny, .ownerDenied, minute: 59),
    Case(.low, ["+sign_event:1", "-sign_event:1 for 1h"], .sign(1), .allow, .ownerAllowed, minute: 60),
    Case(.low, ["+sign_event:1 for 5m", "-sign_event:1"], .sign(1), .deny, .ownerDenied),
    // Spending: asked each time, a day at most without.
    Case(.full, [], .sign(7375), .ask, .walletKind),
    Case(.full, ["+sign_event"], .sign(17375), .ask, .walletKind),
    Case(.full, ["+sign_event:7375 for 1d"], .sign(7375), .allow, .ownerAllowed, minute: 1439),
    Case(.full, ["+sign_event:7375 for 1d"], .sign(7375), .ask, .walletKind, minute: 1440),
    Case(.full, ["-sign_event"], .sign(17375), .deny, .ownerDenied),
    Case(.full, ["+sign_event:7375 for 1d"], .sign(9321), .ask, .walletKind),
    Case(.full, [], .sign(9321), .ask, .walletKind),
    Case(.medium, [], .sign(10019), .ask, .walletKind),
    Case(.full, [], .sign(23194), .ask, .walletKind),
    Case(.full, [], .sign(38383), .ask, .walletKind),
    Case(.medium, [], .sign(9734), .allow, .mediumTrust),
    // Reading what was encrypted to oneself may be reading a wallet's tokens: asked as spending is.
    Case(.full, [], .decryptOwn(.nip44Decrypt), .ask, .selfDecryption),
    Case(.medium, [], .decryptOwn(.nip04Decrypt), .ask, .selfDecryption),
    Case(.full, ["+nip44_decrypt"], .decryptOwn(.nip44Decrypt), .ask, .selfDecryption),
    Case(.full, ["+nip44_decrypt@\(alice) for 1d"], .decryptOwn(.nip44Decrypt), .allow, .ownerAllowed, minute: 1439),
    Case(.full, ["+nip44_decrypt@\(alice) for 1d"], .decryptOwn(.nip44Decrypt), .ask, .selfDecryption, minute: 1440),
    Case(.full, ["+nip44_decrypt@\(alice) for 1d"], .decryptOwn(.nip04Decrypt), .ask, .selfDecryption),
    Case(.full, ["-nip44_decrypt"], .decryptOwn(.nip44Decrypt), .deny, .ownerDenied),
    // What erases, and what speaks for the key: each time, whatever was granted.
    Case(.full, ["+sign_event"], .sign(62), .ask, .vanish),
    Case(.full, ["+sign_event"], .sign(24133), .ask, .keyHandling),
    Case(.full, ["+sign_event"], .sign(8041), .ask, .succession),
    Case(.full, ["-sign_event:62"], .sign(62), .deny, .ownerDenied),
    // A kind that no table knows.
    Case(.medium, [], .sign(7777), .ask, .unknownKind),
    Case(.medium, ["+sign_event"], .sign(7777), .ask, .unknownKind),
    Case(.medium, ["+sign_event:7777"], .sign(7777), .allow, .ownerAllowed),
    Case(.full, [], .sign(7777), .allow, .fullTrust),
    // Lists that decide whom others reach; ordinary ones.
    Case(.medium, [], .sign(10050), .ask, .protectedKind),
    Case(.medium, [], .sign(443), .ask, .protectedKind),
    Case(.medium, [], .sign(10003), .allow, .mediumTrust),
    Case(.medium, [], .sign(10000), .allow, .mediumTrust),
    Case(.medium, [], .sign(13), .allow, .mediumTrust),
    // Dated ahead: asked under every trust, whatever was granted.
    Case(.full, [], .dated(1, ahead: 900), .allow, .fullTrust),
    Case(.full, [], .dated(1, ahead: 901), .ask, .datedAhead),
    Case(.medium, [], .dated(10003, ahead: .max), .ask, .datedAhead),
    Case(.full, [], .dated(0, ahead: 1 << 61), .ask, .datedAhead),
    Case(.full, ["+sign_event:3"], .dated(3, ahead: 1 << 62), .ask, .datedAhead),
    Case(.full, ["-sign_event:3"], .dated(3, ahead: 1 << 62), .deny, .ownerDenied),
    Case(.full, [], .dated(1, ahead: -1_000_000_000), .allow, .fullTrust),
    // Logging in to a file server: adding named files goes, deleting is asked each time, and so is what lasts long.
    Case(.medium, [], .file("upload"), .allow, .mediumTrust),
    Case(.medium, [], .file("upload", x: false), .ask, .fileLogin),
    Case(.medium, [], .file("list", x: false), .ask, .fileLogin),
    Case(.medium, [], .sign(24242), .ask, .fileLogin),
    Case(.full, [], .sign(24242), .ask, .fileLogin),
    Case(.full, [], .file("list", x: false), .allow, .fullTrust),
    Case(.full, [], .file("delete"), .ask, .fileDeletion),
    Case(.medium, ["+sign_event"], .file("delete"), .ask, .fileDeletion),
    Case(.medium, ["+sign_event:24242@delete a.example for 1d"], .file("delete", server: "a.example"), .allow, .ownerAllowed),
    Case(.medium, ["+sign_event:24242@delete a.example for 1d"], .file("delete", server: "b.example"), .ask, .fileDeletion),
    Case(.medium, ["+sign_event:24242@delete a.example for 1d"], .file("delete"), .ask, .fileDeletion),
    Case(.medium, ["+sign_event:24242@list for 1w"], .file("list", x: false, server: "a.example"), .allow, .ownerAllowed),
    Case(.full, [], .file("upload", for: 87_361), .ask, .longLogin),
    Case(.full, [], .file("upload", for: 2_250_000_000), .ask, .longLogin),
    Case(.full, [], .file("upload", for: nil), .ask, .longLogin),
    Case(.medium, ["+sign_event:24242@upload for 1w"], .file("upload", for: nil), .ask, .longLogin),
    Case(.full, ["-sign_event:24242@upload a.example"], .file("upload", server: "a.example"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:24242@upload a.example"], .file("upload"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:24242@upload a.example"], .file("upload", server: "b.example"), .allow, .fullTrust),
    // Logging in to a website: one address and method, a week at most.
    Case(.full, [], .webLogin(upload), .ask, .webLogin),
    Case(.medium, [], .webLogin(upload), .ask, .webLogin),
    Case(.medium, ["+sign_event"], .webLogin(upload), .ask, .webLogin),
    Case(.medium, ["+sign_event:27235@\(upload) for 1w"], .webLogin(upload), .allow, .ownerAllowed),
    Case(.medium, ["+sign_event:27235@\(upload) for 1w"], .webLogin(upload), .ask, .webLogin, minute: 10_080),
    Case(.medium, ["+sign_event:27235@\(upload) for 1w"], .webLogin("DELETE https://host.example/upload"), .ask, .webLogin),
    Case(.medium, ["+sign_event:27235@\(upload) for 1w"], .webLogin("POST https://host.example/upload?all=1"), .ask, .webLogin),
    Case(.medium, ["+sign_event:27235@\(upload) for 1w"], .webLogin("POST https://host.example.evil/upload"), .ask, .webLogin),
    Case(.medium, ["+sign_event:27235@post HTTPS://HOST.example:443/upload for 1h"], .webLogin(upload), .allow, .ownerAllowed),
    Case(
      .medium, ["+sign_event:27235@GET https://host.example/a/* for 1h"], .webLogin("GET https://host.example/a/b"), .allow,
      .ownerAllowed),
    Case(
      .medium, ["+sign_event:27235@GET https://host.example/a/* for 1h"], .webLogin("DELETE https://host.example/a/b"), .ask,
      .webLogin),
    Case(
      .medium, ["+sign_event:27235@GET https://host.example/a/* for 1h"], .webLogin("GET https://host.example/a/../b"), .ask,
      .webLogin),
    Case(
      .medium, ["+sign_event:27235@GET https://host.example/a/* for 1h"], .webLogin("GET https://host.example/a/%2e%2e/b"), .ask,
      .webLogin),
    Case(
      .medium, ["+sign_event:27235@GET https://host.example/a/* for 1h"], .webLogin("GET https://host.example/ab"), .ask,
      .webLogin),
    Case(.full, ["-sign_event:27235"], .webLogin(upload), .deny, .ownerDenied),
    // Logging in to a relay: the session's and one's own under medium trust, others one by one.
    Case(.full, [], .relayLogin("wss://relay.example"), .allow, .fullTrust),
    Case(.medium, [], .ownRelayLogin("wss://relay.example"), .allow, .knownRelay),
    Case(.medium, [], .relayLogin("wss://relay.example"), .ask, .relayLogin),
    Case(.low, [], .ownRelayLogin("wss://relay.example"), .ask, .lowTrust),
    Case(.medium, ["+sign_event:22242@wss://relay.example"], .relayLogin("WSS://Relay.example:443/"), .allow, .ownerAllowed),
    Case(.medium, ["+sign_event:22242@wss://relay.example"], .relayLogin("wss://other.example"), .ask, .relayLogin),
    Case(.medium, ["+sign_event"], .relayLogin("wss://other.example"), .ask, .relayLogin),
    Case(.full, ["-sign_event:22242@wss://relay.example"], .relayLogin("wss://relay.example"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:22242@wss://relay.example"], .relayLogin("wss://relay.example:8443/x"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:22242@wss://relay.example:444"], .relayLogin("ws://relay.example./"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:22242@wss://[2001:db8::1]"], .relayLogin("wss://[2001:db8::1]:99"), .deny, .ownerDenied),
    Case(
      .full, ["-sign_event:27235@GET https://host.example"], .webLogin("POST https://host.example:8443/x"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:27235@GET https://host.example/*"], .webLogin("POST http://host.example/x"), .deny, .ownerDenied),
    Case(.full, ["-sign_event:27235@GET https://host.example/a"], .webLogin("GET https://host.example/b"), .ask, .webLogin),
    // Decryption: by counterparty.
    Case(.medium, [], .decrypt(bob), .allow, .mediumTrust),
    Case(.low, ["+nip44_decrypt@\(bob)"], .decrypt(bob), .allow, .ownerAllowed),
    Case(.low, ["+nip44_decrypt@\(bob)"], .decrypt(alice), .ask, .lowTrust),
    Case(.full, ["-nip44_decrypt@\(bob)"], .decrypt(bob), .deny, .ownerDenied),
    Case(.full, ["-nip44_decrypt@\(bob)"], .decrypt(alice), .allow, .fullTrust),
    Case(.full, ["-nip44_decrypt", "+nip44_decrypt@\(bob)"], .decrypt(bob), .allow, .ownerAllowed),
    // To oneself.
    Case(.medium, [], .encryptToSelf, .allow, .selfEncryption),
    Case(.low, [], .encryptToSelf, .ask, .lowTrust),
    Case(.medium, ["-nip44_encrypt@\(alice)"], .encryptToSelf, .deny, .ownerDenied),
    // A profile: another payment address is asked, whatever was allowed.
    Case(.full, [], .sign(0), .allow, .fullTrust), Case(.full, [], .otherPayment, .ask, .paymentAddress),
    Case(.medium, ["+sign_event:0"], .sign(0), .allow, .ownerAllowed),
    // The weightier reason is named where the trust asks as well.
    Case(.medium, [], .otherPayment, .ask, .paymentAddress), Case(.low, [], .otherPayment, .ask, .paymentAddress),
    Case(.medium, ["?sign_event:0"], .otherPayment, .ask, .ownerAsks),
    Case(.medium, ["+sign_event:0"], .otherPayment, .ask, .paymentAddress),
    Case(.full, ["-sign_event:0"], .otherPayment, .deny, .ownerDenied),
    // The follow list: one that loses many is shown first, whatever was allowed.
    Case(.full, [], .follows(before: 100, dropped: 10, kept: 90), .allow, .fullTrust),
    Case(.full, [], .follows(before: 100, dropped: 11, kept: 89), .ask, .followListDrops),
    Case(.full, [], .follows(before: 4, dropped: 2, kept: 2), .allow, .fullTrust),
    // However few they were, all of them is many.
    Case(.full, [], .follows(before: 2, dropped: 2, kept: 0), .ask, .followListDrops),
    Case(.full, [], .follows(before: 1, dropped: 1, kept: 0), .ask, .followListDrops),
    Case(.full, [], .follows(before: 0, dropped: 0, kept: 0), .allow, .fullTrust),
    Case(.full, [], .firstFollows, .allow, .fullTrust),
    Case(.medium, [], .follows(before: 100, dropped: 0, kept: 100), .ask, .protectedKind),
    Case(.medium, ["+sign_event:3"], .follows(before: 100, dropped: 0, kept: 100), .allow, .ownerAllowed),
    Case(.medium, ["+sign_event:3"], .follows(before: 100, dropped: 99, kept: 1), .ask, .followListDrops),
    Case(.medium, ["+sign_event:3"], .firstFollows, .ask, .followListUnknown),
    Case(.full, ["-sign_event:3"], .firstFollows, .deny, .ownerDenied),
  ]

  @Test("Each request is decided by the rule that the table names", arguments: cases) func decides(_ sample: Case) throws {
    let grant = try Self.grant(sample.trust, sample.rules)
    let decision = Policy.decision(for: sample.asked.facts, under: grant, at: Self.ten + sample.minute * 60)
    #expect(decision == Decision(sample.verdict, by: sample.rule))
  }

  @Test("A login rule that is broader or longer than an owner can set allows nothing")
  func rulesBeyondTheLongest() throws {
    func decision(_ rule: String, for seconds: Int64?, _ asked: Asked) throws -> Decision {
      let permission = try #require(Permission(parsing: rule))
      let rule = GrantRule(permission, .allow, madeAt: Self.ten, expiresAt: seconds.map { Self.ten + $0 })
      return Policy.decision(for: asked.facts, under: Grant(trust: .medium, rules: [rule]), at: Self.ten)
    }
    let (allowed, asked) = (Decision(.allow, by: .ownerAllowed), Decision(.ask, by: .webLogin))
    let (place, day, week): (String, Int64, Int64) = ("sign_event:27235@\(Self.upload)", 86_400, 604_800)
    #expect(try decision(place, for: week, .webLogin(Self.upload)) == allowed)
    #expect(try decision(place, for: week + 1, .webLogin(Self.upload)) == asked)
    #expect(try decision(place, for: nil, .webLogin(Self.upload)) == asked)
    #expect(try decision("sign_event:27235", for: week, .webLogin(Self.upload)) == asked, "no place")
    let deletion = Asked.file("delete", server: "a.example")
    #expect(try decision("sign_event:24242@delete a.example", for: day, deletion) == allowed)
    #expect(try decision("sign_event:24242@delete a.example", for: week, deletion) == Decision(.ask, by: .fileDeletion))
    let relay = Asked.relayLogin("wss://relay.example")
    #expect(try decision("sign_event:22242", for: nil, relay) == Decision(.ask, by: .relayLogin), "no relay")
  }

  // MARK: suspension, limits

  @Test("A lockdown makes the owner decide everything that is not denied")
  func aSuspensionAsksForEverythingThatWasNotDenied() throws {
    let grant = try Self.grant(.full, ["+sign_event:1", "-sign_event:7"])
    let suspended = Policy.Conditions(isSuspended: true)
    func verdict(_ asked: Asked) -> Decision { Policy.decision(for: asked.facts, under: grant, at: Self.ten, in: suspended) }
    #expect(verdict(.sign(1)) == Decision(.ask, by: .lockedDown))
    #expect(verdict(.decrypt(Self.bob)) == Decision(.ask, by: .lockedDown))
    #expect(verdict(.sign(7)) == Decision(.deny, by: .ownerDenied))
    #expect(verdict(.ping) == Decision(.allow, by: .alwaysAllowed))
  }

  @Test(
    "Beyond a limit the owner is asked",
    arguments: [
      (RequestLimits(perMinute: 3), Rule.minuteLimit, Int64(60)), (RequestLimits(perHour: 3), .hourLimit, 3600),
      (RequestLimits(perDay: 3), .dayLimit, 86_400),
    ])
  func beyondALimitTheOwnerIsAsked(_ limits: RequestLimits, _ rule: Rule, _ period: Int64) {
    let grant = Grant(trust: .full, limits: limits)
    var usage = Usage()
    func decide(_ time: Int64) -> Decision {
      let facts = Asked.sign(1).facts
      let decision = Policy.decision(for: facts, under: grant, at: time, in: .init(usage: usage))
      if decision.verdict == .allow { usage.count(facts, under: grant, at: time) }
      return decision
    }
    for _ in 0..<3 { #expect(decide(Self.ten).verdict == .allow) }
    #expect(decide(Self.ten + period - 1) == Decision(.ask, by: rule))
    #expect(decide(Self.ten + period).verdict == .allow, "the period is over")
  }

  @Test("A paused app's requests wait for the owner, whatever its rules allow", arguments: TrustLevel.allCases)
  func aPausedAppIsAskedAbout(trust: TrustLevel) throws {
    var grant = Grant(trust: trust)
    try grant.allow(Permission(.signEvent, kind: 1))
    grant.isSuspended = true
    #expect(Policy.decision(for: Asked.sign(1).facts, under: grant, at: Self.ten) == Decision(.ask, by: .suspended))
  }

  @Test("Guardian envelopes are refused by the rules themselves", arguments: TrustLevel.allCases)
  func lettersAreRefusedByTheRules(trust: TrustLevel) throws {
    var grant = Grant(trust: trust)
    try grant.allow(Permission(.signEvent, kind: SignerEnvelope.kind))
    let facts = RequestFacts(method: .signEvent, kind: SignerEnvelope.kind)
    #expect(Policy.decision(for: facts, under: grant, at: Self.ten) == Decision(.deny, by: .signersEnvelope))
  }

  @Test("An allowed request is counted when it is decided") func whatIsAllowedIsCounted() throws {
    let scene = try Scene(trust: .full)
    let app = try scene.pairedApp()
    let grant = Grant(trust: .full, limits: RequestLimits(perMinute: 3))
    #expect(scene.engine.update(scene.signer.publicKey, name: "app", grant: grant))
    for number in 0..<3 {
      guard case .result = try scene.ask(app, "sign_event", [template(content: "\(number)")]) else {
        Issue.record("not signed"); return
      }
    }
    #expect(try scene.ask(app, "sign_event", [template(content: "one more")]) == .waiting)
    #expect(scene.engine.pendingRequests.map(\.rule) == [.minuteLimit])
  }

  @Test("A budget counts only the permission it names") func aBudgetCountsWhatItNamesAndNothingElse() throws {
    var grant = Grant(trust: .full)
    try grant.setBudget(Permission(.signEvent, kind: 1), .day, count: 2)
    var usage = Usage()
    func decide(_ asked: Asked) -> Decision {
      let decision = Policy.decision(for: asked.facts, under: grant, at: Self.ten, in: .init(usage: usage))
      if decision.verdict == .allow { usage.count(asked.facts, under: grant, at: Self.ten) }
      return decision
    }
    for _ in 0..<5 { #expect(decide(.sign(7)).verdict == .allow) }
    for _ in 0..<2 { #expect(decide(.sign(1)).verdict == .allow) }
    #expect(decide(.sign(1)) == Decision(.ask, by: .budget))
    #expect(usage.used(.budget(Permission(.signEvent, kind: 1), .day), at: Self.ten) == 2)
  }

  /// A clock that is set back neither ends a period nor lets one last for ever.
  @Test("A clock that is set back gives no new budget") func aClockSetBackGivesNoFreshBudget() throws {
    let grant = Grant(trust: .full, limits: RequestLimits(perHour: 1))
    var usage = Usage()
    usage.count(Asked.sign(1).facts, under: grant, at: Self.ten)
    let back = Policy.decision(for: Asked.sign(1).facts, under: grant, at: Self.ten - 86_400, in: .init(usage: usage))
    #expect(back == Decision(.ask, by: .hourLimit))
    usage.count(Asked.sign(1).facts, under: grant, at: Self.ten - 86_400)
    let later = Policy.decision(for: Asked.sign(1).facts, under: grant, at: Self.ten - 86_400 + 3600, in: .init(usage: usage))
    #expect(later.verdict == .allow)
  }

  // MARK: help

  static let ten: Int64 = 1_750_000_000

  static func grant(_ trust: TrustLevel, _ rules: Rules) throws -> Grant {
    var grant = Grant(trust: trust)
    for text in rules {
      let parts = text.dropFirst().split(separator: " for ", maxSplits: 1)
      let permission = try #require(Permission(parsing: parts[0]), "\(text)")
      let remembered: Remembered =
        parts.count > 1 ? .time(try #require(TimeSpan.seconds(String(parts[1])))) : .always
      let verdict: Decision.Verdict = text.first == "+" ? .allow : text.first == "-" ? .deny : .ask
      try grant.set(verdict, permission, for: remembered, of: PublicKey(hex: alice), at: ten)
    }
    return grant
  }
}
