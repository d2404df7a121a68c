import AuditLog
import Curve
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer

/// Shows, sets and tries the rules of all apps together.
extension Operations {
  static let policyHandlers: [OperationHandler] = [
    .init(PolicyShow.self) { operations, request, _ in
      try request.client.map { try operations.showPolicy(of: operations.client(AppRequest($0))) } ?? operations.showPolicy()
    },
    .init(PolicySet.self) { operations, request, _ in try operations.setPolicy(request) },
    .init(PolicyExplain.self) { operations, request, _ in try operations.explainPolicy(request) },
  ]

  /// The settings, and what they mean for well-known kinds of requests.
  private func showPolicy() -> PolicySummary {
    let settings = home.engine.policySettings
    var summary = summary(of: settings)
    summary.defaults = PolicySample.all.map { $0.row(settings) }
    summary.kinds = PolicySample.kinds(settings)
    return summary
  }

  /// The same for one app.
  private func showPolicy(of pairing: Pairing) -> PolicySummary {
    let now = Clock.seconds
    var policy = AppPolicy()
    (policy.client, policy.trust) = (pairing.client.hex, Trust(pairing.grant.trust))
    policy.name = AppName.shown(pairing.name, pairing.client.hex)
    policy.holds = PolicySample.all.map { sample in
      var answer = PolicyAnswer()
      (answer.what, answer.kinds) = (sample.what, sample.kinds)
      answer.decision = RuledVerdict(
        home.engine.decision(for: sample.facts, at: pairing.remoteSigner, under: pairing.grant, now: now))
      return answer
    }
    policy.grant = grant(of: pairing)
    var summary = summary(of: home.engine.policySettings)
    summary.app = policy
    return summary
  }

  private func summary(of settings: PolicySettings) -> PolicySummary {
    var summary = PolicySummary()
    (summary.defaultTrust, summary.followShare) = (Trust(settings.defaultTrust), Int64(settings.followShare))
    summary.isPaused = home.engine.isSuspended
    return summary
  }

  /// Sets each given setting. The others keep their value.
  private func setPolicy(_ request: PolicySet.Request) throws -> PolicySummary {
    let (trust, share) = (request.defaultTrust.map { TrustLevel($0) }, request.followShare)
    guard trust != nil || share != nil else {
      throw OperationError.usage("There is nothing to set: “default_trust” or “follow_share”.")
    }
    guard (0...100).contains(share ?? 0) else {
      throw OperationError.usage("“follow_share” must be a percentage from 0 to 100.")
    }
    try home.changingPairings {
      let before = home.engine.policySettings
      let settings = PolicySettings(
        defaultTrust: trust ?? before.defaultTrust, followShare: share.map { Int(clamping: $0) } ?? before.followShare)
      if settings.isLooser(than: before) { try allowMore() }
      try home.outbox.recording(.event(.settingChanged, rule: "the rules of all apps")) {
        guard home.store.save(settings) else { throw OperationError.notStored }
      }
      home.engine.setPolicySettings(settings)
    }
    home.signerEvents.tell(.clientsChanged)
    return showPolicy()
  }
}

/// A well-known kind of request, as an example of what the rules mean.
struct PolicySample {
  let what: String
  let facts: RequestFacts
  var meant = Meant.kind

  /// Of which kinds of events it is an example: its own, its own and some more, or any.
  enum Meant { case kind, more, any }

  /// The kinds for people, such as `7375 …`; empty where many kinds or none are meant.
  var kinds: String {
    guard let kind = facts.kind, meant != .any else { return "" }
    return meant == .more ? "\(kind) …" : "\(kind)"
  }

  static var all: [PolicySample] {
    [
      .init(what: "a note", facts: .init(method: .signEvent, kind: 1)),
      .init(what: "a reaction", facts: .init(method: .signEvent, kind: 7)),
      .init(what: "an article", facts: .init(method: .signEvent, kind: 30_023)),
      .init(what: "bookmarks, and other ordinary lists", facts: .init(method: .signEvent, kind: 10_003), meant: .more),
      .init(what: "your profile", facts: .init(method: .signEvent, kind: 0)),
      .init(what: "your profile, with another payment address", facts: .init(payingElsewhere: 0)),
      .init(
        what: "your follow list, with few changes",
        facts: .init(method: .signEvent, kind: 3, follows: .change(before: 100, dropped: 1, kept: 99))),
      .init(
        what: "your follow list, with many removed",
        facts: .init(method: .signEvent, kind: 3, follows: .change(before: 100, dropped: 100, kept: 0))),
      .init(what: "a deletion", facts: .init(method: .signEvent, kind: 5)),
      .init(what: "your relay list", facts: .init(method: .signEvent, kind: 10_002)),
      .init(what: "app settings", facts: .init(method: .signEvent, kind: 30_078)),
      .init(
        what: "logging in to a relay you use", facts: .init(method: .signEvent, kind: 22_242, isKnownRelay: true)),
      .init(what: "logging in to another relay", facts: .init(method: .signEvent, kind: 22_242)),
      .init(what: "logging in to a website", facts: .init(method: .signEvent, kind: 27_235)),
      .init(what: "adding files to a server", facts: .init(file: "upload")),
      .init(what: "deleting files from a server", facts: .init(file: "delete")),
      .init(what: "spending: wallets, nutzaps, trades", facts: .init(method: .signEvent, kind: 7375), meant: .more),
      .init(
        what: "a request to vanish, which erases all you published",
        facts: .init(method: .signEvent, kind: GuardedKinds.vanish)),
      .init(
        what: "naming a successor key",
        facts: .init(method: .signEvent, kind: GuardedKinds.succession)),
      .init(what: "asking a remote signer", facts: .init(method: .signEvent, kind: EventKind.remoteSigning)),
      .init(what: "a kind that Holdfast does not know", facts: .init(method: .signEvent, kind: unknownKind), meant: .any),
      .init(what: "anything dated ahead", facts: .init(aheadOf: Clock.seconds), meant: .any),
      .init(what: "writing messages", facts: .init(method: .nip44Encrypt)),
      .init(what: "reading messages", facts: .init(method: .nip44Decrypt)),
      .init(what: "encrypting to yourself", facts: .init(method: .nip44Encrypt, isSelf: true)),
      .init(what: "reading what you encrypted to yourself", facts: .init(method: .nip44Decrypt, isSelf: true)),
    ]
  }

  private static let unknownKind = EventKind.range.first { !KindTable.isKnown($0) } ?? EventKind.range.upperBound

  /// The table of kinds, with the decision of each level of trust.
  static func kinds(_ settings: PolicySettings) -> [KindPolicy] {
    KindTable.entries.map { entry in
      let facts = RequestFacts(method: .signEvent, kind: entry.kinds.lowerBound)
      func verdict(_ trust: TrustLevel) -> Verdict { Verdict(decision(for: facts, under: trust, settings).verdict) }
      var policy = KindPolicy()
      (policy.first, policy.last) = (Int64(entry.kinds.lowerBound), Int64(entry.kinds.upperBound))
      (policy.name, policy.effect) = (entry.name, EventEffect(entry.effect))
      (policy.full, policy.medium, policy.low) = (verdict(.full), verdict(.medium), verdict(.low))
      return policy
    }
  }

  /// The decision of each level of trust about it.
  func row(_ settings: PolicySettings) -> PolicyDefault {
    func verdict(_ trust: TrustLevel) -> RuledVerdict { RuledVerdict(Self.decision(for: facts, under: trust, settings)) }
    var row = PolicyDefault()
    (row.what, row.kinds) = (what, kinds)
    (row.full, row.medium, row.low) = (verdict(.full), verdict(.medium), verdict(.low))
    return row
  }

  private static func decision(
    for facts: RequestFacts, under trust: TrustLevel, _ settings: PolicySettings
  ) -> Decision {
    Policy.decision(for: facts, under: Grant(trust: trust), at: Clock.seconds, in: .init(settings: settings))
  }
}

extension RequestFacts {
  /// A login to a file server for named files, good for a minute.
  fileprivate init(file verb: String) {
    self.init(method: .signEvent, kind: GuardedKinds.fileLogin)
    file = FileLogin(verb: verb, namesFiles: true, expiresAt: Clock.seconds + 60)
  }

  /// A profile with a payment address that is new.
  fileprivate init(payingElsewhere kind: Int) {
    self.init(method: .signEvent, kind: kind)
    changesPayment = true
  }

  /// A note that is dated a day ahead.
  fileprivate init(aheadOf now: Int64) {
    self.init(method: .signEvent, kind: 1)
    datedAt = now + 86_400
  }
}
