import RemoteSigning
import TestSupport
import Testing

/// Changes to the rules that take from apps what they have, and nothing else.
@Suite struct TighteningTests {
  private static let now: Int64 = 1_750_000_000

  /// A grant that does not count as looser allows no request that the other one stops, at any time.
  @Test("A change that counts as tightening allows nothing new") func tighteningAllowsNothingNew() {
    var random = Samples(seed: 49)
    var tightened = 0
    for _ in 0..<25_000 {
      let before = Bool.random(using: &random.generator) ? random.grant(at: Self.now) : random.crowded(at: Self.now)
      let after = random.edited(before, at: Self.now)
      guard after != before, !after.isLooser(than: before) else { continue }
      tightened += 1
      let (facts, conditions, time) = (random.facts(), random.conditions(), Self.now + random.time())
      func rank(_ grant: Grant) -> Int { Policy.decision(for: facts, under: grant, at: time, in: conditions).verdict.rank }
      #expect(rank(after) >= rank(before), "seed 49: \(before) became \(after)")
    }
    #expect(tightened > 2_000, "most changes are of this kind")
  }

  @Test("Each way to allow an app more counts as loosening") func eachWayToAllowMoreIsLoosening() throws {
    let note = try #require(Permission(parsing: "sign_event:1"))
    let before = try Self.careful(note)
    let edits: [(String, (inout Grant) throws -> Void)] = [
      ("more trust", { $0.trust = .full }), ("an allowance", { try $0.allow(#require(Permission(parsing: "sign_event:7"))) }),
      ("an allowance in place of a denial", { try $0.allow(note) }), ("a denial forgotten", { _ = $0.forget(note) }),
      ("a question in place of a denial", { try $0.set(.ask, note, at: Self.now) }),
      ("no limit", { $0.limits.perHour = nil }), ("a higher limit", { $0.limits.perHour = 11 }),
      ("no budget", { try $0.setBudget(note, .day, count: nil) }),
      ("a larger budget", { try $0.setBudget(note, .day, count: 6) }),
      ("resumed", { $0.isSuspended = false }),
    ]
    for (what, edit) in edits {
      var after = before
      try edit(&after)
      #expect(after.isLooser(than: before), "\(what)")
      #expect(!before.isLooser(than: before), "\(what)")
    }
  }

  @Test("Each way to allow an app less counts as tightening") func eachWayToAllowLessIsTightening() throws {
    let note = try #require(Permission(parsing: "sign_event:1"))
    let before = Grant(trust: .medium, allowed: [note])
    let edits: [(String, (inout Grant) throws -> Void)] = [
      ("less trust", { $0.trust = .low }), ("a denial", { try $0.deny(note) }),
      ("an allowance forgotten", { _ = $0.forget(note) }),
      ("a question", { try $0.set(.ask, note, at: Self.now) }), ("a limit", { $0.limits.perHour = 10 }),
      ("a budget", { try $0.setBudget(note, .day, count: 5) }), ("paused", { $0.isSuspended = true }),
    ]
    for (what, edit) in edits {
      var after = before
      try edit(&after)
      #expect(!after.isLooser(than: before), "\(what)")
    }
  }

  @Test("An allowance that would end before a longer one, and cover a denial meanwhile, counts as loosening")
  func aShortAllowanceOverADenialIsLoosening() throws {
    let profile = try #require(Permission(parsing: "sign_event:0"))
    for verdict in [Decision.Verdict.deny, .ask] {
      var before = Grant(trust: .medium, allowed: [profile])
      try before.set(verdict, profile, for: .day, at: Self.now)
      var after = before
      try after.set(.allow, profile, for: .hour, at: Self.now)
      #expect(after.isLooser(than: before))
    }
  }

  @Test("For all apps, more trust for new ones and a larger drop of follows count as loosening")
  func theSettingsOfAllApps() {
    let usual = PolicySettings()
    #expect(PolicySettings(defaultTrust: .full).isLooser(than: usual))
    #expect(PolicySettings(followShare: 11).isLooser(than: usual))
    #expect(!PolicySettings(defaultTrust: .low, followShare: 0).isLooser(than: usual))
  }

  private static func careful(_ note: Permission) throws -> Grant {
    var grant = Grant(trust: .medium, allowed: [], denied: [note])
    (grant.limits.perHour, grant.isSuspended) = (10, true)
    try grant.setBudget(note, .day, count: 5)
    return grant
  }
}

extension Samples {
  /// A grant with several rules about the same permission.
  fileprivate mutating func crowded(at now: Int64) -> Grant {
    var grant = Grant(trust: TrustLevel.allCases.randomElement(using: &generator)!)
    let permission = permission()
    for _ in 0..<4 {
      try? grant.set(Decision.Verdict.allCases.randomElement(using: &generator)!, permission, for: remembered(), at: now)
    }
    return grant
  }

  /// A grant after one change of the owner.
  fileprivate mutating func edited(_ grant: Grant, at now: Int64) -> Grant {
    var after = grant
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: after.trust = TrustLevel.allCases.randomElement(using: &generator)!
    case 1: after.limits.perHour = [nil, 0, 1, 2].randomElement(using: &generator)!
    case 2: _ = grant.rules.randomElement(using: &generator).map { after.forget($0.permission) }
    case 3: after.isSuspended.toggle()
    default:
      let known = grant.rules.randomElement(using: &generator)?.permission
      let permission = Bool.random(using: &generator) ? known ?? permission() : permission()
      try? after.set(Decision.Verdict.allCases.randomElement(using: &generator)!, permission, for: remembered(), at: now)
    }
    return after
  }
}
