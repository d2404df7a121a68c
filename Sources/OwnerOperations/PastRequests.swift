import AuditLog
import Curve
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer

/// One app's past requests, with how other rules would have answered them.
///
/// The log keeps no contents. If an answer depends on a content (who a message was for, which relay, what a list dropped), all
/// possible answers are listed, not one of them.
struct PastRequests {
  /// The most differences that are listed. Further ones are only counted.
  static let mostListed = 200

  private let pairing: Pairing
  private let grant: Grant
  private let settings: PolicySettings
  private let engine: SigningEngine
  private var usage = Usage()
  private var (same, skipped) = (0, 0)
  private var differing: [PastRequest] = []
  private var depending: [PastRequest] = []
  private var (differingCount, dependingCount) = (0, 0)

  /// - Parameter engine: for what an identity's key adds to the rules.
  init(_ pairing: Pairing, under grant: Grant, _ settings: PolicySettings, _ engine: SigningEngine) {
    (self.pairing, self.grant, self.settings, self.engine) = (pairing, grant, settings, engine)
  }

  func owns(_ entry: AuditEntry) -> Bool { entry.client == pairing.client && entry.identity == pairing.identity }

  /// Takes the next request, in the order in which they came.
  mutating func take(_ record: AuditRecord) {
    let entry = record.entry
    guard let method = entry.method.flatMap({ Method(rawValue: $0.name) }), !method.isAlwaysAllowed,
      let was = Self.verdict(entry)
    else { return skipped += 1 }
    let facts = RequestFacts(method: method, kind: entry.eventKind.map { Int($0) })
    let time = entry.time / 1000
    var outcomes: [Decision] = []
    for possible in facts.possible(under: grant) {
      let ruled = Policy.decision(for: possible, under: grant, at: time, in: .init(settings: settings, usage: usage))
      let decision = engine.decision(ruled, about: possible, for: pairing.identity)
      if !outcomes.contains(decision) { outcomes.append(decision) }
    }
    let verdicts = Set(outcomes.map(\.verdict))
    if verdicts == [.allow] { usage.count(facts, under: grant, at: time) }
    if verdicts == [was] { return same += 1 }
    if verdicts.contains(was) {
      dependingCount += 1
      if depending.count < Self.mostListed { depending.append(describe(record, facts, was, outcomes)) }
    } else {
      differingCount += 1
      if differing.count < Self.mostListed { differing.append(describe(record, facts, was, outcomes)) }
    }
  }

  // What the rules decided then. The owner's own answers are not counted, and neither are a lock or a full queue, which are no
  // rules.
  private static func verdict(_ entry: AuditEntry) -> Decision.Verdict? {
    switch entry.decidingRule {
    case .ownerApproved?, .ownerRefused?, .locked?: return nil
    case .queueFull?: return .ask
    default: break
    }
    switch entry.decision {
    case .allow?: return .allow
    case .ask?: return .ask
    case .deny?: return .deny
    case nil: return nil
    }
  }

  private func describe(
    _ record: AuditRecord, _ facts: RequestFacts, _ was: Decision.Verdict, _ outcomes: [Decision]
  ) -> PastRequest {
    var past = PastRequest()
    (past.sequence, past.time) = (Int64(clamping: record.sequence), record.entry.time / 1000)
    (past.client, past.name) = (pairing.client.hex, AppName.shown(pairing.name, pairing.client.hex))
    past.permission = facts.permission.description
    (past.was.verdict, past.was.rule) = (Verdict(was), record.entry.decidingRule?.name)
    past.was.reason = record.entry.rule?.description ?? ""
    past.outcomes = outcomes.map(RuledVerdict.init)
    past.would = outcomes.count == 1 ? past.outcomes[0] : nil
    return past
  }

  /// All apps together.
  /// - Parameter isCut: whether there were more entries than were read.
  static func summary(_ histories: [PastRequests], isCut: Bool) -> ExplainedLog {
    func sum(_ count: (PastRequests) -> Int) -> Int64 { Int64(histories.reduce(0) { $0 + count($1) }) }
    func first(_ list: (PastRequests) -> [PastRequest]) -> [PastRequest] {
      Array(histories.flatMap(list).sorted { $0.sequence < $1.sequence }.prefix(mostListed))
    }
    var log = ExplainedLog()
    (log.same, log.differ, log.depend) = (sum(\.same), sum(\.differingCount), sum(\.dependingCount))
    log.requests = log.same + log.differ + log.depend
    (log.skipped, log.isCut) = (sum(\.skipped), isCut)
    (log.differences, log.depending) = (first(\.differing), first(\.depending))
    return log
  }
}
