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
  /// How many entries one answer of an export holds.
  private static let mostExported: Int64 = 2_000

  func showLog(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let limit = min(try given.optionalInteger("limit") ?? Self.usualEntries, Self.mostEntries)
    let filter = try logFilter(given)
    let before = try given.optionalInteger("before").map { UInt64($0) }  // 0 or more
    do {
      let records = try core.log.tail(Int(limit), matching: filter, before: before)
      let names = core.appNames
      return .object([.init("entries", .array(records.map { .object(describe($0, names)) }))])
    } catch { throw OperationFailure(error) }
  }

  /// Entries oldest first, each with its leaf hash, a part at a time: `next` goes into the following request as `from`.
  func exportLog(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let limit = min(try given.optionalInteger("limit") ?? Self.mostExported, Self.mostExported)
    let from = UInt64(try given.optionalInteger("from") ?? 1)  // 0 or more
    let filter = try logFilter(given)
    do {
      let records = try core.log.read(from: from, limit: Int(limit), matching: filter)
      let isMore = records.count >= limit && limit > 0
      let next = isMore ? records.last.map { JSONValue.integer(Int64(clamping: $0.sequence) + 1) } : nil
      let names = core.appNames
      let entries = records.map { JSONValue.object(describe($0, names) + [.init("leaf", .string($0.leafHash.hex))]) }
      return .object([
        .init("entries", .array(entries)), .init("next", next ?? .null),
        .init("count", .integer(Int64(clamping: core.log.count))),
      ])
    } catch { throw OperationFailure(error) }
  }

  func verifyLog() throws(OperationFailure) -> JSONValue {
    let (keys, anchor) = (try? LogRecords.keys(core.vault), try LogRecords.anchor(core.vault))
    return Self.verified { () throws(AuditLogError) in
      let result = try AuditLog.verify(folder: core.home.log, keys: keys, anchor: anchor)
      if result.fault != nil, running != nil { core.gate.report(.logTampered) }
      return result
    }
  }

  /// That an entry is in the log; or with `from`, that the log begins with what it was then.
  func proveEntry(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    do {
      if let from = try given.optionalInteger("from") { return Self.consistency(try core.log.consistency(from: UInt64(from))) }
      guard let sequence = try given.optionalInteger("sequence") else { throw OperationFailure.usage("“sequence” is missing.") }
      let (proof, checkpoint) = try core.log.proof(of: UInt64(sequence))
      return .object([
        .init("index", .integer(Int64(clamping: proof.sequence) - 1)), .init("size", .integer(Int64(clamping: proof.size))),
        .init("leaf", proof.leaf.map { .string(Base64.string($0)) } ?? .null),
        .init("leaf_hash", .string(Base64.string(proof.leafHash.array))), .init("proof", Self.hashes(proof.path)),
        .init("root", .string(Base64.string(proof.root.array))), .init("checkpoint", .string(checkpoint)),
        .init("vkey", .string(core.log.verifierKey)),
      ])
    } catch { throw OperationFailure(error) }
  }

  /// The key that heads are checked with.
  func logKey() -> JSONValue { .object([.init("vkey", .string(core.log.verifierKey))]) }

  /// The head of the log as it is now: to be kept elsewhere, or shown to a witness.
  func logCheckpoint() throws(OperationFailure) -> JSONValue {
    do { return .object([.init("checkpoint", .string(try core.log.checkpoint()))]) } catch { throw OperationFailure(error) }
  }

  /// Drops the content of old entries.
  func retainLog(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    guard let seconds = LogRetention.seconds(try given.text("keep")) else {
      throw .usage("“keep” is a time of \(LogRetention.least / 86_400) days or more, as 90d.")
    }
    do {
      let now = Clock.milliseconds
      let (redacted, dropped) = try core.log.dropContent(olderThan: now - seconds * 1000, now: now)
      core.noteLog()
      return .object([
        .init("dropped", .integer(Int64(clamping: dropped))), .init("redacted", .integer(Int64(clamping: redacted))),
        .init("entries", .integer(Int64(clamping: core.log.count))),
      ])
    } catch { throw OperationFailure(error) }
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

/// How long the content of entries is kept.
enum LogRetention {
  /// Replay defence and the waiting requests look back further than a day: what is younger stays.
  static let least: Int64 = 7 * 86_400

  /// - Returns: seconds for a number of days, as `90d`; nil for anything else, and for less than is needed.
  static func seconds(_ text: String) -> Int64? {
    guard text.utf8.last == UInt8(ascii: "d"), let days = Int64(text.dropLast()), days >= 0, days <= 36_500 else { return nil }
    return days * 86_400 >= least ? days * 86_400 : nil
  }
}
