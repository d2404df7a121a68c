internal import AuditLog
internal import Curve
internal import Encodings
import Identities
package import JSON
internal import Nostr
package import OwnerAPI
internal import RemoteSigning
internal import SecretMemory
package import Signer
internal import Vault

/// What is said of the log's entries, and which of them are wanted.
extension Operations {
  /// The end of the year 9999, in seconds since 1970.
  private static let latestTime: Int64 = 253_402_300_799

  /// `since` and `until` (seconds), `client` (name or key), `identity` (name), `kind` (of an event), `entry` (kind of the entry),
  /// `decision`.
  func logFilter(_ given: Parameters) throws -> AuditFilter {
    var filter = AuditFilter()
    filter.since = try time("since", given)
    filter.until = try time("until", given)
    if let text = try given.optionalText("client") {
      // A whole key also finds the entries of an app that is gone.
      filter.client = if let key = PublicKey(npubOrHex: text) { key } else { try client(given).client }
    }
    if let name = try given.optionalText("identity") {
      filter.identity = if let key = PublicKey(npubOrHex: name) { key } else { try identity(named: name).publicKey }
    }
    if let kind = try given.optionalInteger("kind") {
      guard let kind = UInt16(exactly: kind) else { throw OperationError.usage("A kind is a number from 0 to 65535.") }
      filter.eventKind = kind
    }
    if let name = try given.optionalText("entry") {
      let kinds = AuditEntry.Kind.allCases.filter { "\($0)" == name }
      guard !kinds.isEmpty else {
        throw OperationError.usage("There is no kind of entry of that name.", hint: "As “paired” or “vaultOpenFailed”.")
      }
      filter.kinds = Set(kinds)
    }
    if let name = try given.optionalText("decision") {
      guard let decision = AuditEntry.Decision.allCases.first(where: { "\($0)" == name }) else {
        throw OperationError.usage("A decision is allow, ask or deny.")
      }
      filter.decision = decision
    }
    return filter
  }

  private func time(_ name: String, _ given: Parameters) throws -> Int64? {
    guard let seconds = try given.optionalInteger(name) else { return nil }
    guard seconds <= Self.latestTime else { throw OperationError.usage("“\(name)” is a time in seconds since 1970.") }
    return seconds * 1000
  }

  /// - Parameter names: of apps, by key.
  func describe(_ record: AuditRecord, _ names: [PublicKey: String]) -> [JSONValue.Member] {
    let entry = record.entry
    func optional(_ key: String, _ value: JSONValue?) -> [JSONValue.Member] { value.map { [.init(key, $0)] } ?? [] }
    return [
      .init("sequence", .integer(Int64(clamping: record.sequence))), .init("time", .integer(entry.time / 1000)),
      .init("entry", .string("\(entry.kind)")),
    ] + optional("identity", entry.identity.map { .string(name(ofIdentity: $0)) })
      + optional("client", entry.client.map { .string($0.hex) })
      + optional("client_name", entry.client.flatMap { names[$0] }.map { .string($0) })
      + optional("method", entry.method.map { .string($0.name) })
      + optional("kind", entry.eventKind.map { .integer(Int64($0)) })
      + optional("decision", entry.decision.map { .string("\($0)") })
      + optional("rule", entry.rule.map { .string($0.description) })
      + optional("request", entry.requestID.map { .string($0.hex) })
      + optional("signed", entry.resultID.map { .string($0.hex) })
      + optional("error", entry.error.map { .integer(Int64($0.rawValue)) })
      + optional("amount", entry.amount.map { .integer($0) })
  }

  /// What a check of the log came to.
  static func verified(_ check: () throws(AuditLogError) -> AuditVerification) -> JSONValue {
    let result: AuditVerification
    do { result = try check() } catch {
      return .object([.init("ok", false), .init("entries", 0), .init("fault", .string(OperationError(error).error))])
    }
    var members: [JSONValue.Member] = [
      .init("ok", .bool(result.fault == nil)), .init("entries", .integer(Int64(clamping: result.entries))),
      .init("redacted", .integer(Int64(clamping: result.redacted))), .init("opened", .bool(result.isOpened)),
      .init("head", .string(result.root.hex)), .init("fault", result.fault.map { .string($0.sentence) } ?? .null),
    ]
    if result.fault != nil {
      if let entry = result.fault?.firstBadEntry { members.append(.init("entry", .integer(Int64(clamping: entry)))) }
      if let time = result.lastTime { members.append(.init("after", .integer(time / 1000))) }
    }
    return .object(members)
  }
}

extension Opening {
  /// Checks the log of a home that no daemon runs on, without opening it for appending: it may be damaged.
  /// - Parameters:
  ///   - evidence: nil to check what can be checked without keys.
  ///   - progress: hears now and then how many entries were checked, and of how many; 0 where that is not known.
  package static func verifyLog(
    home: Home, evidence: ShownCredential?, progress: (_ checked: UInt64, _ of: UInt64) -> Void = { _, _ in }
  ) throws(OperationError) -> JSONValue {
    try OperationError.wrapping { try check(home, evidence, progress) }
  }

  private static func check(
    _ home: Home, _ evidence: ShownCredential?, _ progress: (_ checked: UInt64, _ of: UInt64) -> Void
  ) throws -> JSONValue {
    var vault: Vault?
    if let evidence { vault = try Self.vault(home, evidence) }
    defer { vault?.close() }
    var (keys, anchor): (AuditKeys?, AuditAnchor?) = (nil, nil)
    if let vault { (keys, anchor) = (try LogRecords.keys(vault), try LogRecords.anchor(vault)) }
    let total = ((try? AuditLog.extent(folder: home.log)) ?? nil)?.count ?? 0
    return Operations.verified { () throws(AuditLogError) in
      try AuditLog.verify(folder: home.log, keys: keys, anchor: anchor) { checked in
        progress(checked, total)
        return true
      }
    }
  }
}
