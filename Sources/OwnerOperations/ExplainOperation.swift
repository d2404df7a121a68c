internal import AuditLog
internal import Curve
internal import JSON
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer

/// `policy/explain`: a request, or the log's past ones, through the rules as they are and as they would be.
extension Operations {
  private static let usualEntries: Int64 = 10_000
  private static let mostEntries: Int64 = 100_000

  func explainPolicy(_ given: Parameters) throws -> JSONValue {
    let changes = try given.texts("change")
    guard changes.count <= PolicyChange.maximumCount else {
      throw OperationError.usage("At most \(PolicyChange.maximumCount) changes are tried.")
    }
    if given["log"]?.bool == true { return try explainLog(given, changes) }
    let pairing = try client(given)
    let now = Clock.seconds
    let (method, parameters) = try Self.request(given)
    guard let facts = core.engine.facts(of: method, parameters, for: pairing) else {
      throw OperationError.usage("That is no request this signer can read.", hint: Self.requestHint)
    }
    let (grant, settings) = try changed(pairing, changes, now)
    let before = core.engine.decision(for: facts, at: pairing.remoteSigner, under: pairing.grant, now: now)
    let after = core.engine.decision(
      for: facts, at: pairing.remoteSigner, under: grant, settings: settings, now: now)
    let difference: JSONValue = [
      "was": .object(Self.members(of: before)), "would": .object(Self.members(of: after)),
    ]
    return .object([
      .init("client", .string(pairing.client.hex)), .init("name", .string(pairing.name)),
      .init("permission", .string(facts.permission.description)), .init("now", .object(Self.members(of: before))),
      .init("changed", .object(Self.members(of: after))), .init("differs", .bool(before.verdict != after.verdict)),
      .init("differences", .array(before.verdict == after.verdict ? [] : [difference])),
    ])
  }

  private func changed(
    _ pairing: Pairing, _ changes: [String], _ now: Int64
  ) throws -> (Grant, PolicySettings) {
    var (grant, settings) = (pairing.grant, core.engine.policySettings)
    for change in changes { try PolicyChange(change).apply(to: &grant, &settings, identity: pairing.identity.hex, now: now) }
    return (grant, settings)
  }

  // MARK: one request

  private static let requestHint =
    #"For example: {"method":"sign_event","params":[{"kind":1,"content":"hi"}]}, or the event alone"#

  /// A request as an app would send it, or an event alone.
  private static func request(_ given: Parameters) throws -> (Method, [[UInt8]]) {
    guard let found = given["request"] else { throw OperationError.usage("There is no request to explain.", hint: requestHint) }
    guard let value = found.string.map({ try? JSONValue(parsing: Array($0.utf8)) }) ?? found else {
      throw OperationError.usage("That is no JSON.", hint: requestHint)
    }
    guard value["method"] != nil else { return (.signEvent, [value.serialized()]) }
    guard let method = value["method"]?.string.flatMap({ Method(rawValue: $0) }) else {
      throw OperationError.usage("There is no such method.", hint: requestHint)
    }
    return (method, (value["params"]?.array ?? []).map { $0.string.map { Array($0.utf8) } ?? $0.serialized() })
  }

  // MARK: the log

  private func explainLog(_ given: Parameters, _ changes: [String]) throws -> JSONValue {
    let chosen = try given.optionalText("client") == nil ? nil : client(given)
    let pairings = chosen.map { [$0] } ?? core.engine.pairings
    let now = Clock.seconds
    var histories: [PastRequests] = []
    for pairing in pairings {
      let (grant, settings) = try changed(pairing, changes, now)
      histories.append(PastRequests(pairing, under: grant.frozen(at: now), settings))
    }
    let limit = min(try given.optionalInteger("limit") ?? Self.usualEntries, Self.mostEntries)
    let filter = AuditFilter(
      client: chosen?.client, kinds: [.requestDecided], since: try given.optionalInteger("since").map { $0 &* 1000 })
    let records: [AuditRecord]
    records = try core.log.tail(Int(limit), matching: filter)
    for record in records {
      for index in histories.indices where histories[index].owns(record.entry) { histories[index].take(record) }
    }
    return PastRequests.summary(histories, isCut: records.count >= limit)
  }
}
