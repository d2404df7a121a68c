import RemoteSigning
import TestSupport
import Testing

private func facts(_ method: RemoteSigning.Method, _ kind: Int? = nil) -> RequestFacts {
  RequestFacts(method: method, kind: kind)
}

@Suite struct PolicyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let trust: TrustLevel
    let allowed: [String]
    let denied: [String]
    let request: RequestFacts
    let verdict: Decision.Verdict
    let rule: Rule
    var testDescription: String { "\(trust) +\(allowed) -\(denied) \(request.method) \(request.kind ?? -1): \(verdict)" }
    init(
      _ trust: TrustLevel, _ allowed: [String], _ denied: [String], _ request: RequestFacts, _ verdict: Decision.Verdict,
      _ rule: Rule
    ) {
      (self.trust, self.allowed, self.denied, self.request, self.verdict, self.rule) = (
        trust, allowed, denied, request, verdict, rule
      )
    }
  }

  @Test(arguments: [
    // Under medium trust everything is done but what others built on.
    Case(.medium, [], [], facts(.signEvent, 1), .allow, .mediumTrust),
    Case(.medium, [], [], facts(.signEvent, 0), .ask, .protectedKind),
    Case(.medium, [], [], facts(.signEvent, 3), .ask, .protectedKind),
    Case(.medium, [], [], facts(.signEvent, 5), .ask, .protectedKind),
    Case(.medium, [], [], facts(.signEvent, 10002), .ask, .protectedKind),
    Case(.medium, [], [], facts(.signEvent, 30078), .ask, .protectedKind),
    Case(.medium, [], [], facts(.nip44Decrypt), .allow, .mediumTrust),
    // Full trust does all but spend; low trust asks all but what reveals nothing.
    Case(.full, [], [], facts(.signEvent, 0), .allow, .fullTrust),
    Case(.full, [], [], facts(.signEvent, 7375), .ask, .walletKind),
    Case(.low, [], [], facts(.signEvent, 1), .ask, .lowTrust),
    Case(.low, [], [], facts(.nip44Encrypt), .ask, .lowTrust),
    Case(.low, [], [], facts(.getPublicKey), .allow, .alwaysAllowed),
    Case(.low, [], [], facts(.logout), .allow, .alwaysAllowed),
    // The owner's exceptions: the more specific wins.
    Case(.low, ["sign_event:1"], [], facts(.signEvent, 1), .allow, .ownerAllowed),
    Case(.low, ["sign_event:1"], [], facts(.signEvent, 6), .ask, .lowTrust),
    Case(.low, ["sign_event"], [], facts(.signEvent, 6), .allow, .ownerAllowed),
    Case(.low, ["sign_event"], [], facts(.signEvent, 0), .ask, .lowTrust),
    Case(.medium, ["sign_event"], [], facts(.signEvent, 0), .ask, .protectedKind),
    Case(.medium, ["sign_event:0"], [], facts(.signEvent, 0), .allow, .ownerAllowed),
    Case(.full, [], ["sign_event:1"], facts(.signEvent, 1), .deny, .ownerDenied),
    Case(.full, [], ["sign_event"], facts(.signEvent, 1), .deny, .ownerDenied),
    Case(.full, ["sign_event:1"], ["sign_event"], facts(.signEvent, 1), .allow, .ownerAllowed),
    Case(.full, ["sign_event"], ["sign_event:1"], facts(.signEvent, 1), .deny, .ownerDenied),
    Case(.full, [], ["nip44_decrypt"], facts(.nip44Decrypt), .deny, .ownerDenied),
    Case(.full, [], ["sign_event"], facts(.signEvent, 17375), .deny, .ownerDenied),
  ])
  func decides(_ sample: Case) throws {
    let grant = Grant(
      trust: sample.trust, allowed: Set(sample.allowed.compactMap { Permission(parsing: $0) }),
      denied: Set(sample.denied.compactMap { Permission(parsing: $0) }))
    #expect(grant.allowed.count == sample.allowed.count && grant.denied.count == sample.denied.count)
    #expect(Policy.decision(for: sample.request, under: grant) == Decision(sample.verdict, by: sample.rule))
  }

  /// For random grants and requests: a further denial never turns a no or an ask into a yes.
  @Test func addingADenialNeverAllowsMore() throws {
    var generator = Repeatable(seed: 46)
    for _ in 0..<5_000 {
      var grant = Grant(trust: TrustLevel.allCases.randomElement(using: &generator)!)
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let permission = Self.permission(&generator)
        if Bool.random(using: &generator) { try? grant.allow(permission) } else { try? grant.deny(permission) }
      }
      let request = Self.permission(&generator)
      let facts = RequestFacts(method: request.method, kind: request.kind)
      let before = Policy.decision(for: facts, under: grant).verdict
      try? grant.deny(Self.permission(&generator))
      let after = Policy.decision(for: facts, under: grant).verdict
      #expect(!(after == .allow && before != .allow), "seed 46")
    }
  }

  @Test func spendingCannotBeAllowedForGood() {
    var grant = Grant(trust: .full)
    #expect(throws: GrantError.walletKind(7375)) { try grant.allow(Permission(.signEvent, kind: 7375)) }
  }

  @Test func whatEveryAppMayDoCannotBeDenied() {
    var grant = Grant(trust: .full)
    #expect(throws: GrantError.alwaysAllowed(.ping)) { try grant.deny(Permission(.ping)) }
  }

  @Test func exceptionsAreBounded() throws {
    var grant = Grant(trust: .full)
    for kind in 0..<Grant.maximumExceptions { try grant.deny(Permission(.signEvent, kind: kind + 20_000)) }
    #expect(throws: GrantError.tooManyExceptions(limit: Grant.maximumExceptions)) {
      try grant.allow(Permission(.signEvent, kind: 1))
    }
  }

  @Test(arguments: ["sign_event:", "sign_event:-1", "sign_event:65536", "sign_event:x", "nip44_encrypt:1", "unknown", ""])
  func refusesMalformedPermissions(text: String) { #expect(Permission(parsing: text) == nil) }

  private static func permission(_ generator: inout Repeatable) -> Permission {
    let method: RemoteSigning.Method = [.signEvent, .signEvent, .nip44Decrypt, .nip04Encrypt].randomElement(using: &generator)!
    guard method == .signEvent, Bool.random(using: &generator) else { return Permission(method) }
    return Permission(method, kind: [0, 1, 3, 7375, 30023].randomElement(using: &generator)!)
  }
}
