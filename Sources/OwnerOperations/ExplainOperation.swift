import AuditLog
import Curve
import JSON
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer

/// `policy/explain`: tries a request, or the log's past ones, under the present rules and under changed ones.
extension Operations {
  private static let usualEntries: Int64 = 10_000
  private static let mostEntries: Int64 = 100_000

  func explainPolicy(_ request: PolicyExplain.Request) throws -> PolicyExplain.Response {
    guard request.change.count <= PolicyChange.maximumCount else {
      throw OperationError.usage("At most \(PolicyChange.maximumCount) changes can be tried at once.")
    }
    var response = PolicyExplain.Response()
    if request.usesLog { response.log = try explainLog(request) } else { response.request = try explainRequest(request) }
    return response
  }

  private func changed(
    _ pairing: Pairing, _ changes: [String], _ now: Int64
  ) throws -> (Grant, PolicySettings) {
    var (grant, settings) = (pairing.grant, home.engine.policySettings)
    for change in changes { try PolicyChange(change).apply(to: &grant, &settings, identity: pairing.identity.hex, now: now) }
    return (grant, settings)
  }

  // MARK: one request

  private static let requestHint =
    #"For example: {"method":"sign_event","params":[{"kind":1,"content":"hi"}]}, or only the event"#

  private func explainRequest(_ request: PolicyExplain.Request) throws -> ExplainedRequest {
    guard let name = request.client else {
      throw OperationError.usage(
        "No app is named.", hint: "Name the app that sends the request. For requests in the log, use --log.")
    }
    let (pairing, now) = (try client(AppRequest(name)), Clock.seconds)
    let (grant, settings) = try changed(pairing, request.change, now)
    let (facts, others) = try facts(of: request, for: pairing, under: grant)
    func after(_ facts: RequestFacts) -> RuledVerdict {
      RuledVerdict(home.engine.decision(for: facts, at: pairing.remoteSigner, under: grant, settings: settings, now: now))
    }
    let before = home.engine.decision(for: facts, at: pairing.remoteSigner, under: pairing.grant, now: now)
    var explained = ExplainedRequest(RuledVerdict(before), after(facts))
    explained.outcomes = others.map(after).reduce(into: [explained.changed]) { all, one in
      if !all.contains(where: { $0.verdict == one.verdict && $0.rule == one.rule }) { all.append(one) }
    }
    (explained.client, explained.name) = (pairing.client.hex, AppName.shown(pairing.name, pairing.client.hex))
    (explained.permission, explained.text) = (facts.permission.description, facts.permission.text(of: pairing.identity))
    return explained
  }

  /// The facts of the request, and for a permission those that its content may make of it.
  private func facts(
    of request: PolicyExplain.Request, for pairing: Pairing, under grant: Grant
  ) throws -> (RequestFacts, others: [RequestFacts]) {
    if let text = request.permission {
      let permission = try Self.permission(text, identity: pairing.identity.hex)
      let usual = RequestFacts.example(of: permission)
      return (usual, permission.scope == nil ? usual.possible(under: grant) : [])
    }
    let (method, parameters) = try Self.parsed(request.request)
    guard let facts = home.engine.facts(of: method, parameters, for: pairing) else {
      throw OperationError.usage("The request cannot be read.", hint: Self.requestHint)
    }
    return (facts, [])
  }

  /// A request as an app would send it, or only an event.
  private static func parsed(_ request: JSONValue?) throws -> (Method, [[UInt8]]) {
    guard let request else { throw OperationError.usage("There is no request to explain.", hint: requestHint) }
    guard let value = request.string.map({ try? JSONValue(parsing: Array($0.utf8)) }) ?? request else {
      throw OperationError.usage("The request is not JSON.", hint: requestHint)
    }
    guard value["method"] != nil else { return (.signEvent, [value.serialized()]) }
    guard let method = value["method"]?.string.flatMap({ Method(rawValue: $0) }) else {
      throw OperationError.usage("The request's method does not exist.", hint: requestHint)
    }
    return (method, (value["params"]?.array ?? []).map { $0.string.map { Array($0.utf8) } ?? $0.serialized() })
  }

  // MARK: the log

  private func explainLog(_ request: PolicyExplain.Request) throws -> ExplainedLog {
    let chosen = try request.client.map { try client(AppRequest($0)) }
    let pairings = chosen.map { [$0] } ?? home.engine.pairings
    let now = Clock.seconds
    var histories: [PastRequests] = []
    for pairing in pairings {
      let (grant, settings) = try changed(pairing, request.change, now)
      histories.append(PastRequests(pairing, under: grant.frozen(at: now), settings, home.engine))
    }
    let limit = min(try request.limit.natural("limit") ?? Self.usualEntries, Self.mostEntries)
    let filter = AuditFilter(
      client: chosen?.client, kinds: [.requestDecided], since: try request.since.natural("since").map { $0 &* 1000 })
    let records = try home.log.tail(Int(limit), matching: filter)
    for record in records {
      for index in histories.indices where histories[index].owns(record.entry) { histories[index].take(record) }
    }
    return PastRequests.summary(histories, isCut: records.count >= limit)
  }
}

extension ExplainedRequest {
  fileprivate init(_ before: RuledVerdict, _ after: RuledVerdict) {
    self.init()
    (now, changed, differs) = (before, after, before.verdict != after.verdict)
    guard differs else { return }
    var difference = Difference()
    (difference.was, difference.would) = (before, after)
    differences = [difference]
  }
}
