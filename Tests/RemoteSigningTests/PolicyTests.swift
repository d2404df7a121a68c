import Curve
import Encodings
import RemoteSigning
import TestSupport
import Testing

/// What holds for every grant and every request.
@Suite struct PolicyTests {
  private static let rounds = 20_000
  private static let now: Int64 = 1_750_000_000

  /// A further denial never turns a no or an ask into a yes, now or later.
  @Test("A further denial never allows more") func addingADenialNeverAllowsMore() throws {
    var random = Samples(seed: 46)
    for _ in 0..<Self.rounds {
      var grant = random.grant(at: Self.now)
      let (facts, conditions) = (random.facts(), random.conditions())
      let time = Self.now + random.time()
      let before = Policy.decision(for: facts, under: grant, at: time, in: conditions).verdict
      do { try grant.set(.deny, random.permission(), for: random.remembered(), at: Self.now) } catch { continue }
      let after = Policy.decision(for: facts, under: grant, at: time, in: conditions).verdict
      #expect(after.rank >= before.rank, "seed 46")
    }
  }

  /// The same of a rule to be asked, but for the denials that it is said in place of.
  @Test("A rule to ask never allows more") func addingAnAskNeverAllowsMore() throws {
    var random = Samples(seed: 47)
    for _ in 0..<Self.rounds {
      var grant = random.grant(at: Self.now)
      let facts = random.facts()
      let before = Policy.decision(for: facts, under: grant, at: Self.now).verdict
      do { try grant.set(.ask, random.permission(), at: Self.now) } catch { continue }
      let after = Policy.decision(for: facts, under: grant, at: Self.now).verdict
      #expect(!(after == .allow && before != .allow), "seed 47")
    }
  }

  /// What an allowance gives for a time, it gives until its end and not a second longer, however the clock goes.
  @Test("A permission for a time never lasts longer than its time") func expiryNeverExtends() throws {
    var random = Samples(seed: 48)
    for _ in 0..<Self.rounds {
      let without = random.grant(at: Self.now)
      var grant = without
      let remembered = random.remembered()
      guard let seconds = remembered.seconds else { continue }
      let permission = random.permission()
      do { try grant.set(.allow, permission, for: remembered, at: Self.now) } catch { continue }
      let facts = random.facts()
      let end = Self.now + seconds
      func rank(_ grant: Grant, _ time: Int64) -> Int { Policy.decision(for: facts, under: grant, at: time).verdict.rank }
      for time in [end, end + 1, end + random.time()] { #expect(rank(grant, time) >= rank(without, time), "seed 48") }
      // Set back by a day, the clock does not make five minutes a day of it.
      let past = Self.now - 86_400
      let rest = grant.rules.filter { !($0.permission == permission && $0.expiresAt == end) }
      let other = Grant(trust: grant.trust, rules: rest, limits: grant.limits)
      #expect(rank(grant, past) >= rank(other, past), "seed 48")
    }
  }

  /// Rules that ended may be removed at any time: nothing changes by it.
  @Test("Removing expired rules changes no decision") func removingWhatEndedChangesNothing() {
    var random = Samples(seed: 49)
    for _ in 0..<Self.rounds {
      let grant = random.grant(at: Self.now)
      let time = Self.now + random.time()
      var cleaned = grant
      _ = cleaned.removeExpired(at: time)
      let (facts, later) = (random.facts(), time + random.time())
      #expect(
        Policy.decision(for: facts, under: grant, at: later) == Policy.decision(for: facts, under: cleaned, at: later), "seed 49")
    }
  }

  /// A limit, a budget or a suspension never allows more.
  @Test("Setting a limit or pausing an app never allows more") func limitsAndSuspensionsNeverAllowMore() throws {
    var random = Samples(seed: 50)
    for _ in 0..<Self.rounds {
      let grant = random.grant(at: Self.now)
      let (facts, conditions) = (random.facts(), random.conditions())
      let before = Policy.decision(for: facts, under: grant, at: Self.now, in: conditions).verdict
      var limited = grant
      limited.limits.perHour = 0
      var suspended = grant
      suspended.isSuspended = true
      for other in [limited, suspended] {
        let after = Policy.decision(for: facts, under: other, at: Self.now, in: conditions).verdict
        #expect(after.rank >= before.rank, "seed 50")
      }
    }
  }

  /// What spends, and what logs in, is never allowed by something that has no end.
  @Test("No rule without an end allows spending or a web login") func noLastingRuleAllowsSpendingOrAWebLogin() {
    var random = Samples(seed: 51)
    for _ in 0..<Self.rounds {
      let grant = Grant(
        trust: random.grant(at: Self.now).trust, rules: (0..<6).map { _ in GrantRule(random.permission(), .allow) })
      for kind in [7375, 17375, 27235] {
        let facts = RequestFacts(method: .signEvent, kind: kind, scope: kind == 27235 ? random.scope(27235) : nil)
        #expect(Policy.decision(for: facts, under: grant, at: Self.now).verdict == .ask, "seed 51")
      }
    }
  }

  /// The reason is there, fits into the log, and is no other rule's.
  @Test("Every rule has a name and a reason of its own") func everyRuleHasANameAndAReason() {
    for rule in Rule.allCases {
      #expect(!rule.name.isEmpty && rule.name.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == 0x2d })
      #expect(!rule.reason.isEmpty && rule.reason.utf8.count <= 64)
      #expect(rule.reason.utf8.allSatisfy { (0x20...0x7e).contains($0) })
      #expect(Rule(reason: rule.reason) == rule && Rule(rawValue: rule.name) == rule)
    }
  }

  @Test("A reason in an earlier wording, as older logs keep it, still names its rule") func earlierWordingsNameTheirRule() {
    for reason in ["erasing all you published is asked each time", "you are asked each time about erasing all you published"] {
      #expect(Rule(reason: reason) == .vanish)
    }
    #expect(Rule(reason: "the app was paused, or the signer locked down, when it asked") == .suspended)
  }

  @Test("What would be asked now is not told as if it had been asked") func aPresentReasonSpeaksOfNow() {
    #expect(Rule.suspended.presentReason == "the app is paused" && Rule.lockedDown.presentReason == "the signer is locked down")
    #expect(Rule.lowTrust.presentReason == Rule.lowTrust.reason)
  }

  // MARK: what can be said

  @Test("Spending and logins cannot be allowed for good") func spendingAndLoginsCannotBeAllowedForGood() throws {
    var grant = Grant(trust: .full)
    let login = try #require(Permission(parsing: "sign_event:27235@GET https://a.example/"))
    #expect(throws: GrantError.neverAlways(Permission(.signEvent, kind: 7375), longest: .day)) {
      try grant.allow(Permission(.signEvent, kind: 7375))
    }
    #expect(throws: GrantError.neverAlways(login, longest: .week)) { try grant.allow(login) }
    #expect(throws: GrantError.needsScope(27235)) {
      try grant.set(.allow, Permission(.signEvent, kind: 27235), for: .hour, at: 0)
    }
    #expect(throws: GrantError.needsScope(22242)) { try grant.allow(Permission(.signEvent, kind: 22242)) }
    #expect(throws: GrantError.neverAlways(Permission(.signEvent, kind: 7375), longest: .day)) {
      try grant.set(.allow, Permission(.signEvent, kind: 7375), for: .week, at: 0)
    }
    #expect(grant == Grant(trust: .full), "what is refused leaves nothing behind")
    #expect(Grant.offers(for: login, of: nil) == [.once, .fiveMinutes, .hour, .day, .week])
    #expect(Grant.offers(for: Permission(.signEvent, kind: 7375), of: nil) == [.once, .fiveMinutes, .hour, .day])
    #expect(Grant.offers(for: Permission(.signEvent, kind: 22242), of: nil) == [.once])
    #expect(Grant.offers(for: Permission(.signEvent, kind: 1), of: nil) == Remembered.choices)
  }

  @Test("Methods that every app may use cannot be denied") func whatEveryAppMayDoCannotBeDenied() {
    var grant = Grant(trust: .full)
    #expect(throws: GrantError.alwaysAllowed(.ping)) { try grant.deny(Permission(.ping)) }
  }

  @Test("The number of rules and budgets is limited") func rulesAndBudgetsAreBounded() throws {
    var grant = Grant(trust: .full)
    for kind in 0..<Grant.maximumExceptions { try grant.deny(Permission(.signEvent, kind: kind + 40_000)) }
    #expect(throws: GrantError.tooManyExceptions(limit: Grant.maximumExceptions)) {
      try grant.allow(Permission(.signEvent, kind: 1))
    }
    try grant.allow(Permission(.signEvent, kind: 40_000))
    for kind in 0..<Grant.maximumBudgets { try grant.setBudget(Permission(.signEvent, kind: kind), .day, count: 1) }
    #expect(throws: GrantError.tooManyBudgets(limit: Grant.maximumBudgets)) {
      try grant.setBudget(Permission(.signEvent, kind: 999), .day, count: 1)
    }
  }

  @Test(
    "Malformed permissions are refused",
    arguments: [
      "sign_event:", "sign_event:-1", "sign_event:65536", "sign_event:x", "nip44_encrypt:1", "unknown", "", "sign_event@",
      "sign_event:1@wss://relay.example", "sign_event:22242@https://relay.example", "sign_event:22242@wss://",
      "nip44_decrypt@abcd",
      "sign_event:22242@wss://user@relay.example", "sign_event:27235@https://host.example",
      "sign_event:27235@GET ftp://host.example",
      "sign_event:27235@GET https://host.example/#part", "sign_event:27235@G3T https://host.example", "ping@x",
    ])
  func refusesMalformedPermissions(text: String) { #expect(Permission(parsing: text) == nil) }

  @Test("A written permission reads back the same") func aPermissionIsWrittenAsItIsRead() {
    var random = Samples(seed: 52)
    for _ in 0..<2_000 {
      let permission = random.permission()
      #expect(Permission(parsing: permission.description) == permission)
    }
  }

  @Test("An app cannot ask for a permission for one address") func anAppCannotAskForAPlace() {
    #expect(
      Permission.list("sign_event:1,sign_event:22242@wss://a.example,nip44_encrypt").map(\.description) == [
        "sign_event:1", "nip44_encrypt",
      ])
  }
}
