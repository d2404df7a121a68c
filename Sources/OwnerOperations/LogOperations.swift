internal import AuditLog
internal import Curve
internal import Encodings
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer
internal import Vault

extension Operations {
  /// How many entries are shown when nothing is said.
  private static let usualEntries: Int64 = 50
  private static let mostEntries: Int64 = 100_000
  /// How many entries one answer of an export holds.
  private static let mostExported: Int64 = 2_000

  func showLog(_ given: Parameters) throws -> JSONValue {
    let limit = min(try given.optionalInteger("limit") ?? Self.usualEntries, Self.mostEntries)
    let filter = try logFilter(given)
    let before = try given.optionalInteger("before").map { UInt64($0) }  // 0 or more
    let records = try core.log.tail(Int(limit), matching: filter, before: before)
    let names = core.appNames
    return .object([.init("entries", .array(records.map { .object(describe($0, names)) }))])
  }

  /// Entries oldest first, each with its leaf hash, a part at a time: `next` goes into the following request as `from`.
  func exportLog(_ given: Parameters) throws -> JSONValue {
    let limit = min(try given.optionalInteger("limit") ?? Self.mostExported, Self.mostExported)
    let from = UInt64(try given.optionalInteger("from") ?? 1)  // 0 or more
    let filter = try logFilter(given)
    let records = try core.log.read(from: from, limit: Int(limit), matching: filter)
    let isMore = records.count >= limit && limit > 0
    let next = isMore ? records.last.map { JSONValue.integer(Int64(clamping: $0.sequence) + 1) } : nil
    let names = core.appNames
    let entries = records.map { JSONValue.object(describe($0, names) + [.init("leaf", .string($0.leafHash.hex))]) }
    return .object([
      .init("entries", .array(entries)), .init("next", next ?? .null),
      .init("count", .integer(Int64(clamping: core.log.count))),
    ])
  }

  /// That an entry is in the log; or with `from`, that the log begins with what it was then.
  func proveEntry(_ given: Parameters) throws -> JSONValue {
    if let from = try given.optionalInteger("from") { return Self.consistency(try core.log.consistency(from: UInt64(from))) }
    guard let sequence = try given.optionalInteger("sequence") else { throw OperationError.usage("“sequence” is missing.") }
    let (proof, checkpoint) = try core.log.proof(of: UInt64(sequence))
    return .object([
      .init("index", .integer(Int64(clamping: proof.sequence) - 1)), .init("size", .integer(Int64(clamping: proof.size))),
      .init("leaf", proof.leaf.map { .string(Base64.string($0)) } ?? .null),
      .init("leaf_hash", .string(Base64.string(proof.leafHash.array))), .init("proof", Self.hashes(proof.path)),
      .init("root", .string(Base64.string(proof.root.array))), .init("checkpoint", .string(checkpoint)),
      .init("vkey", .string(core.log.verifierKey)),
    ])
  }

  /// The key that heads are checked with.
  func logKey() -> JSONValue { .object([.init("vkey", .string(core.log.verifierKey))]) }

  /// The head of the log as it is now: to be kept elsewhere, or shown to a witness.
  func logCheckpoint() throws -> JSONValue {
    return .object([.init("checkpoint", .string(try core.log.checkpoint()))])
  }

  /// Drops the content of old entries, once or from now on each day; or says whether that is done.
  func retainLog(_ given: Parameters) throws -> JSONValue {
    if given["off"]?.bool == true {
      try setRetention(nil)
      return try retention([])
    }
    guard given["keep"] != nil else { return try retention([]) }
    guard let seconds = LogRetention.seconds(try given.text("keep")) else {
      throw OperationError.usage("“keep” is a time of \(LogRetention.least / 86_400) days or more, as 90d.")
    }
    if given["daily"]?.bool == true { try setRetention(seconds) }
    do {
      let (redacted, dropped) = try core.dropContent(keeping: seconds, time: Clock.milliseconds)
      core.noteLog()
      return try retention([
        .init("dropped", .integer(Int64(clamping: dropped))), .init("redacted", .integer(Int64(clamping: redacted))),
      ])
    } catch let error as AuditLogError { throw OperationError(error) } catch { throw OperationError.notStored }
  }

  private func setRetention(_ keep: Int64?) throws {
    let said: AuditRule = keep == nil ? "old content of the log stays" : "old content of the log goes each day"
    try core.outbox.recording(.event(.settingChanged, rule: said)) {
      try core.vault.transaction([LogRetention.change(to: keep)])
    }
  }

  private func retention(_ done: [JSONValue.Member]) throws -> JSONValue {
    let daily: Int64?
    daily = try LogRetention.daily(core.vault)
    return .object(
      done + [
        .init("entries", .integer(Int64(clamping: core.log.count))),
        .init("daily_days", daily.map { .integer($0 / 86_400) } ?? .null),
      ])
  }

  private static func consistency(_ found: (proof: AuditConsistency, checkpoint: String)) -> JSONValue {
    .object([
      .init("old_size", .integer(Int64(clamping: found.proof.oldSize))),
      .init("old_root", .string(Base64.string(found.proof.oldRoot.array))),
      .init("size", .integer(Int64(clamping: found.proof.size))), .init("proof", hashes(found.proof.path)),
      .init("root", .string(Base64.string(found.proof.root.array))), .init("checkpoint", .string(found.checkpoint)),
    ])
  }

  private static func hashes(_ path: [Bytes32]) -> JSONValue { .array(path.map { .string(Base64.string($0.array)) }) }
}
