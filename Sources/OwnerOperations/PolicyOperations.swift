internal import AuditLog
internal import Curve
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer

/// The rules of all apps together: shown, set, and tried out.
extension Operations {
  /// `policy/show`: the settings, and what holds for things people know; with `client`, for that app as it is now.
  func showPolicy(_ given: Parameters) throws -> JSONValue {
    let settings = core.engine.policySettings
    let general: [JSONValue.Member] = [
      .init("default_trust", .string(settings.defaultTrust.rawValue)),
      .init("follow_share", .integer(Int64(settings.followShare))), .init("suspended", .bool(core.engine.isSuspended)),
    ]
    guard try given.optionalText("client") != nil else {
      return .object(
        general + [
          .init("defaults", .array(PolicySample.all.map { $0.row(settings) })), .init("kinds", PolicySample.kinds(settings)),
        ])
    }
    let (pairing, now) = (try client(given), Clock.seconds)
    let rows = PolicySample.all.map { sample in
      let decision = core.engine.decision(for: sample.facts, at: pairing.remoteSigner, under: pairing.grant, now: now)
      return JSONValue.object([.init("what", .string(sample.what))] + Self.members(of: decision))
    }
    return .object(
      general + [
        .init("client", .string(pairing.client.hex)), .init("name", .string(pairing.name)),
        .init("trust", .string(pairing.grant.trust.rawValue)), .init("holds", .array(rows)),
      ] + grantMembers(pairing))
  }

  /// `policy/set`: `default_trust` and `follow_share`, each as it is given.
  func setPolicy(_ given: Parameters) throws -> JSONValue {
    var trust: TrustLevel?
    if let text = try given.optionalText("default_trust") {
      guard let level = TrustLevel(rawValue: text) else { throw OperationError.usage("Trust is full, medium or low.") }
      trust = level
    }
    let share = try given.optionalInteger("follow_share")
    guard trust != nil || share != nil else {
      throw OperationError.usage("There is nothing to set: “default_trust” or “follow_share”.")
    }
    guard share ?? 0 <= 100 else { throw OperationError.usage("“follow_share” is a number of percent, 0 to 100.") }
    try core.changingPairings {
      let before = core.engine.policySettings
      let settings = PolicySettings(
        defaultTrust: trust ?? before.defaultTrust, followShare: share.map { Int(clamping: $0) } ?? before.followShare)
      try core.outbox.recording(.event(.settingChanged, rule: "the rules of all apps")) {
        guard core.store.save(settings) else { throw OperationError.notStored }
      }
      core.engine.setPolicySettings(settings)
    }
    core.signerEvents.tell(.clientsChanged)
    return try showPolicy(given)
  }

  static func members(of decision: Decision) -> [JSONValue.Member] {
    [
      .init("verdict", .string(decision.verdict.rawValue)), .init("rule", .string(decision.rule.name)),
      .init("reason", .string(decision.rule.reason)),
    ]
  }
}

/// Things people know, to show by them what the rules come to.
struct PolicySample {
  let what: String
  let facts: RequestFacts

  static var all: [PolicySample] {
    [
      .init(what: "a note, a reaction, an article, an ordinary list", facts: .init(method: .signEvent, kind: 1)),
      .init(what: "your profile", facts: .init(method: .signEvent, kind: 0)),
      .init(
        what: "your follow list, a few changed",
        facts: .init(method: .signEvent, kind: 3, follows: .change(before: 100, dropped: 1, left: 101))),
      .init(
        what: "your follow list, many dropped",
        facts: .init(method: .signEvent, kind: 3, follows: .change(before: 100, dropped: 100, left: 0))),
      .init(what: "a deletion", facts: .init(method: .signEvent, kind: 5)),
      .init(what: "your relay list", facts: .init(method: .signEvent, kind: 10_002)),
      .init(what: "app data", facts: .init(method: .signEvent, kind: 30_078)),
      .init(what: "logging in to a relay you use", facts: .init(method: .signEvent, kind: 22_242, isKnownRelay: true)),
      .init(what: "logging in to another relay", facts: .init(method: .signEvent, kind: 22_242)),
      .init(what: "logging in to a website", facts: .init(method: .signEvent, kind: 27_235)),
      .init(what: "adding files to a server", facts: .init(file: "upload")),
      .init(what: "deleting files from a server", facts: .init(file: "delete")),
      .init(what: "spending: wallets, nutzaps, trades", facts: .init(method: .signEvent, kind: 7375)),
      .init(what: "erasing all you published", facts: .init(method: .signEvent, kind: GuardedKinds.vanish)),
      .init(what: "naming a successor key", facts: .init(method: .signEvent, kind: GuardedKinds.succession)),
      .init(what: "speaking to a remote signer", facts: .init(method: .signEvent, kind: EventKind.remoteSigning)),
      .init(what: "a kind that is not known here", facts: .init(method: .signEvent, kind: unknownKind)),
      .init(what: "anything dated ahead", facts: .init(aheadOf: Clock.seconds)),
      .init(what: "writing or reading messages", facts: .init(method: .nip44Decrypt)),
      .init(what: "encrypting to yourself", facts: .init(method: .nip44Encrypt, isSelf: true)),
      .init(what: "reading what you encrypted to yourself", facts: .init(method: .nip44Decrypt, isSelf: true)),
    ]
  }

  private static let unknownKind = EventKind.range.first { !KindTable.isKnown($0) } ?? EventKind.range.upperBound

  /// The table of kinds, with what each level of trust says.
  static func kinds(_ settings: PolicySettings) -> JSONValue {
    .array(
      KindTable.entries.map { entry in
        let facts = RequestFacts(method: .signEvent, kind: entry.kinds.lowerBound)
        return .object(
          [
            .init("first", .integer(Int64(entry.kinds.lowerBound))), .init("last", .integer(Int64(entry.kinds.upperBound))),
            .init("name", .string(entry.name)), .init("effect", .string(entry.effect.rawValue)),
          ]
            + TrustLevel.allCases.map { trust in
              let decision = Policy.decision(
                for: facts, under: Grant(trust: trust), at: Clock.seconds, in: .init(settings: settings))
              return .init(trust.rawValue, .string(decision.verdict.rawValue))
            })
      })
  }

  /// What each level of trust says to it.
  func row(_ settings: PolicySettings) -> JSONValue {
    .object(
      [.init("what", .string(what))]
        + TrustLevel.allCases.map { trust in
          let decision = Policy.decision(
            for: facts, under: Grant(trust: trust), at: Clock.seconds, in: .init(settings: settings))
          return .init(trust.rawValue, .object(Operations.members(of: decision)))
        })
  }
}

extension RequestFacts {
  /// A login to a file server for named files, good for a minute.
  fileprivate init(file verb: String) {
    self.init(method: .signEvent, kind: GuardedKinds.fileLogin)
    file = FileLogin(verb: verb, namesFiles: true, expiresAt: Clock.seconds + 60)
  }

  /// A note that is dated a day ahead.
  fileprivate init(aheadOf now: Int64) {
    self.init(method: .signEvent, kind: 1)
    datedAt = now + 86_400
  }
}
