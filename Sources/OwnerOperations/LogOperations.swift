import AuditLog
import Curve
import Encodings
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import RemoteSigning
import Signer
import Vault

/// The log: `log/*`.
extension Operations {
  static let logHandlers: [OperationHandler] = [
    .init(LogShow.self) { operations, request, _ in try operations.showLog(request) },
    .init(LogExport.self) { operations, request, _ in try operations.exportLog(request) },
    .init(LogVerify.self) { operations, request, _ in try operations.verifyLog(request) },
    .init(LogProve.self) { operations, request, _ in try operations.proveEntry(request) },
    .init(LogKey.self) { operations, _, _ in operations.logKey() },
    .init(LogCheckpoint.self) { operations, _, _ in try operations.logCheckpoint() },
    .init(LogRetain.self) { operations, request, _ in try operations.retainLog(request) },
    .init(LogRenew.self) { _, _, _ in
      throw OperationError.failed(
        "The signer is using the log.", hint: "Stop the signer first. To check the log now: holdfast log verify")
    },
  ]

  /// How many entries are shown if no number is given.
  private static let usualEntries: Int64 = 50
  private static let mostEntries: Int64 = 100_000
  /// How many entries one response of an export holds.
  private static let mostExported: Int64 = 2_000

  private func showLog(_ request: LogShow.Request) throws -> LogShow.Response {
    let limit = min(try request.limit.natural("limit") ?? Self.usualEntries, Self.mostEntries)
    let filter = try filter(request.filter)
    let before = try request.before.natural("before").map { UInt64($0) }  // 0 or more
    let records = try home.log.tail(Int(limit), matching: filter, before: before)
    let (names, requests) = (home.appNames, home.engine.requestNaming)
    var response = LogShow.Response()
    response.entries = records.map { describe($0, names, requests) }
    return response
  }

  /// Entries oldest first, each with its leaf hash, in parts: `next` is `from` of the following request.
  private func exportLog(_ request: LogExport.Request) throws -> LogExport.Response {
    let limit = min(try request.limit.natural("limit") ?? Self.mostExported, Self.mostExported)
    let from = UInt64(try request.from.natural("from") ?? 1)  // 0 or more
    let records = try home.log.read(from: from, limit: Int(limit), matching: try filter(request.filter))
    let isMore = records.count >= limit && limit > 0
    let (names, requests) = (home.appNames, home.engine.requestNaming)
    var response = LogExport.Response()
    response.entries = records.map { record in
      var entry = describe(record, names, requests)
      entry.leaf = record.leafHash.hex
      return entry
    }
    response.next = isMore ? records.last.map { Int64(clamping: $0.sequence) + 1 } : nil
    response.count = Int64(clamping: home.log.count)
    return response
  }

  /// Proves that an entry is in the log or, with `from`, that the log begins with what it was then.
  private func proveEntry(_ request: LogProve.Request) throws -> LogProve.Response {
    var response = LogProve.Response()
    if let from = try request.from.natural("from") {
      let (proof, checkpoint) = try home.log.consistency(from: UInt64(from))
      response.growth = GrowthProof(proof, checkpoint)
      response.growth?.verifierKey = home.log.verifierKey
      return response
    }
    guard let sequence = try request.sequence.natural("sequence") else { throw OperationError(.missing("sequence")) }
    let (proof, checkpoint) = try home.log.proof(of: UInt64(sequence))
    response.entry = EntryProof(proof, checkpoint, verifierKey: home.log.verifierKey)
    return response
  }

  /// The public key that verifies the log's heads.
  private func logKey() -> LogKey.Response {
    var response = LogKey.Response()
    response.verifierKey = home.log.verifierKey
    return response
  }

  /// The present head of the log, to be kept elsewhere or shown to a witness.
  private func logCheckpoint() throws -> LogCheckpoint.Response {
    var response = LogCheckpoint.Response()
    response.checkpoint = try home.log.checkpoint()
    return response
  }

  /// Drops the content of old entries, once or every day, or says whether that is done.
  private func retainLog(_ request: LogRetain.Request) throws -> LogRetain.Response {
    if request.isOff { try setRetention(nil) }
    guard let keep = request.keep, !request.isOff else { return try retention() }
    guard let seconds = LogRetention.seconds(keep) else {
      throw OperationError.usage("“keep” must be \(LogRetention.least / 86_400) days or more, such as 90d.")
    }
    // Whoever finds the machine unattended must not remove what shows it.
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    if request.isDaily { try setRetention(seconds) }
    do {
      let done = try home.dropContent(keeping: seconds, time: Clock.milliseconds)
      home.noteLog()
      var response = try retention()
      (response.dropped, response.redacted) = (Int64(clamping: done.dropped), Int64(clamping: done.redacted))
      return response
    } catch let error as AuditLogError { throw OperationError(error) } catch { throw OperationError.notStored }
  }

  private func setRetention(_ keep: Int64?) throws {
    let said: AuditRule = keep == nil ? "old content of the log stays" : "old content of the log goes each day"
    try home.outbox.recording(.event(.settingChanged, rule: said)) {
      try home.vault.transaction([LogRetention.change(to: keep)])
    }
  }

  private func retention() throws -> LogRetain.Response {
    var response = LogRetain.Response()
    response.entries = Int64(clamping: home.log.count)
    response.dailyDays = try LogRetention.daily(home.vault).map { $0 / 86_400 }
    return response
  }
}

extension EntryProof {
  fileprivate init(_ proof: AuditProof, _ checkpoint: String, verifierKey: String) {
    self.init()
    (index, size) = (Int64(clamping: proof.sequence) - 1, Int64(clamping: proof.size))
    (leaf, leafHash) = (proof.leaf.map(Base64.string), Base64.string(proof.leafHash.array))
    (self.proof, root) = (proof.path.map { Base64.string($0.array) }, Base64.string(proof.root.array))
    (self.checkpoint, self.verifierKey) = (checkpoint, verifierKey)
  }
}

extension GrowthProof {
  fileprivate init(_ proof: AuditConsistency, _ checkpoint: String) {
    self.init()
    (oldSize, oldRoot) = (Int64(clamping: proof.oldSize), Base64.string(proof.oldRoot.array))
    (size, root) = (Int64(clamping: proof.size), Base64.string(proof.root.array))
    (self.proof, self.checkpoint) = (proof.path.map { Base64.string($0.array) }, checkpoint)
  }
}
