internal import AuditLog
internal import Curve
internal import Encodings
internal import JSON
internal import Nostr
internal import RemoteSigning

extension Operations {
  /// How many entries are shown when nothing is said.
  private static let usualEntries: Int64 = 50
  private static let mostEntries: Int64 = 100_000
  /// The end of the year 9999, in seconds since 1970.
  private static let latestTime: Int64 = 253_402_300_799

  func showLog(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let limit = min(try given.optionalInteger("limit") ?? Self.usualEntries, Self.mostEntries)
    var filter = AuditFilter()
    if let seconds = try given.optionalInteger("since") {
      guard seconds <= Self.latestTime else { throw .usage("“since” is a time in seconds since 1970.") }
      filter.since = seconds * 1000
    }
    if let text = try given.optionalText("client") {
      // A whole key also finds the entries of an app that is gone.
      filter.client = if let key = PublicKey(npubOrHex: text) { key } else { try client(given).client }
    }
    if let kind = try given.optionalInteger("kind") {
      guard let kind = UInt16(exactly: kind) else { throw .usage("A kind is a number from 0 to 65535.") }
      filter.eventKind = kind
    }
    do {
      let records = try core.log.tail(Int(limit), matching: filter)
      return .object([.init("entries", .array(records.map(describe)))])
    } catch { throw OperationFailure(error) }
  }

  func verifyLog() -> JSONValue {
    do {
      let result = try AuditLog.verify(folder: core.home.log)
      let fault = result.fault.map { JSONValue.string(String(describing: $0)) }
      if fault != nil, running != nil { core.gate.report(.logTampered) }
      return .object([
        .init("ok", .bool(fault == nil)), .init("entries", .integer(Int64(clamping: result.entries))),
        .init("head", .string(result.chain.hex)), .init("fault", fault ?? .null),
      ])
    } catch {
      return .object([.init("ok", false), .init("entries", 0), .init("fault", .string(OperationFailure(error).error))])
    }
  }

  private func describe(_ record: AuditRecord) -> JSONValue {
    let entry = record.entry
    func optional(_ key: String, _ value: JSONValue?) -> [JSONValue.Member] { value.map { [.init(key, $0)] } ?? [] }
    return .object(
      [
        .init("sequence", .integer(Int64(clamping: record.sequence))), .init("time", .integer(entry.time / 1000)),
        .init("entry", .string("\(entry.kind)")),
      ] + optional("identity", entry.identity.map { .string(name(ofIdentity: $0)) })
        + optional("client", entry.client.map { .string($0.hex) })
        + optional("method", entry.method.map { .string($0.name) })
        + optional("kind", entry.eventKind.map { .integer(Int64($0)) })
        + optional("decision", entry.decision.map { .string("\($0)") })
        + optional("rule", entry.rule.map { .string($0.description) })
        + optional("request", entry.requestID.map { .string($0.hex) })
        + optional("signed", entry.resultID.map { .string($0.hex) })
        + optional("error", entry.error.map { .integer(Int64($0.rawValue)) })
        + optional("amount", entry.amount.map { .integer($0) }))
  }
}
