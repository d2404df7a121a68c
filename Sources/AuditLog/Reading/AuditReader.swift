public import Curve
public import Encodings
public import SecretMemory

/// An entry with its place in the log.
public struct AuditRecord: Sendable, Hashable {
  /// 1 for the first entry of the log.
  public let sequence: UInt64
  /// What was recorded.
  public let entry: AuditEntry
  /// The entry's leaf in the tree: SHA-256(0x00 ‖ what stands sealed in the file).
  public let leafHash: Bytes32
}

/// Which entries to show; nil means any.
public struct AuditFilter: Sendable {
  /// Only entries of this app.
  public var client: PublicKey?
  /// Only entries of these kinds.
  public var kinds: Set<AuditEntry.Kind>?
  /// Milliseconds since 1970-01-01 UTC: only entries of that time or later.
  public var since: Int64?
  /// Milliseconds since 1970-01-01 UTC: only entries before that time.
  public var until: Int64?
  /// Only entries about events of this kind.
  public var eventKind: UInt16?
  /// Only decisions of this sort.
  public var decision: AuditEntry.Decision?
  /// Only entries about this identity.
  public var identity: PublicKey?
  /// Only entries about this signed event: its id, 32 bytes.
  public var resultID: Bytes32?
  /// Only entries about requests whose event has such an id, 32 bytes.
  public var isRequest: (@Sendable (Bytes32) -> Bool)?

  /// A filter that lets everything through unless told otherwise.
  public init(client: PublicKey? = nil, kinds: Set<AuditEntry.Kind>? = nil, since: Int64? = nil, eventKind: UInt16? = nil) {
    (self.client, self.kinds, self.since, self.eventKind) = (client, kinds, since, eventKind)
  }

  /// Whether the entry is wanted.
  public func matches(_ entry: AuditEntry) -> Bool {
    (client == nil || entry.client == client) && (kinds?.contains(entry.kind) ?? true) && entry.time >= since ?? .min
      && (eventKind == nil || entry.eventKind == eventKind) && (until.map { entry.time < $0 } ?? true)
      && (decision == nil || entry.decision == decision) && (identity == nil || entry.identity == identity)
      && (resultID == nil || entry.resultID == resultID)
      && (isRequest.map { isMeant in entry.requestID.map(isMeant) ?? false } ?? true)
  }
}

/// A request event the log has seen, for replay defence.
public struct RecentEvent: Sendable, Hashable {
  /// Id of the event.
  public let id: Bytes32
  /// Seconds since 1970-01-01 UTC as its author claims, nil when it was not recorded.
  public let createdAt: Int64?
  /// Milliseconds since 1970-01-01 UTC by our clock.
  public let recordedAt: Int64
}

/// Reads a log, whether or not a process is appending to it. Memory is bounded. Entries are authentic, since their seal holds;
/// whether all are there, `AuditLog.verify` says.
public struct AuditReader: Sendable {
  /// Reading backwards for entries since a time ends after so many older ones in a row: the clock may have been set back.
  public static let olderEntriesBeforeStop = 1024
  private let store: LogStore
  private let position: LogPosition
  private let key: SecretBox

  /// Opens the log of a folder for reading, up to the last whole entry that is there now.
  /// - Parameter key: the secret half of the log's sealing key, 32 bytes.
  /// - Throws: `.fault` when header, head or an entry behind the head is not right.
  public init(folder: String, key: SecretBox) throws(AuditLogError) {
    let opened = try OpenedLog(reading: LogFolder(path: folder))
    self.init(opened.store, opened.position, key)
  }

  init(_ store: LogStore, _ position: LogPosition, _ key: SecretBox) {
    (self.store, self.position, self.key) = (store, position, key)
  }

  /// Number of entries.
  public var count: UInt64 { position.count }

  /// The newest `limit` entries that match, oldest of them first.
  /// - Parameters:
  ///   - before: only entries with a lower sequence number; nil for all.
  ///   - most: the search ends after so many entries.
  public func tail(
    _ limit: Int, matching filter: AuditFilter = AuditFilter(), before: UInt64? = nil, lookingAt most: Int = .max
  ) throws(AuditLogError) -> [AuditRecord] {
    guard limit > 0, most > 0 else { return [] }
    var (found, looked): ([AuditRecord], Int) = ([], 0)
    try backwards(since: filter.since, before: before) { record in
      if filter.matches(record.entry) { found.append(record) }
      looked += 1
      return found.count < limit && looked < most
    }
    return found.reversed()
  }

  /// The first `limit` entries from `sequence` on that match, oldest first. Entries whose content was dropped are passed over.
  public func read(
    from sequence: UInt64, limit: Int, matching filter: AuditFilter = AuditFilter()
  ) throws(AuditLogError) -> [AuditRecord] {
    try part(from: sequence, limit: limit, matching: filter, after: nil).records
  }

  /// The same, beginning at an epoch that is known.
  /// - Returns: the entries, and where the epoch of the last one that was looked at begins.
  func part(
    from sequence: UInt64, limit: Int, matching filter: AuditFilter, after bookmark: Bookmark?
  ) throws(AuditLogError) -> (records: [AuditRecord], bookmark: Bookmark?) {
    var (found, reached): ([AuditRecord], Bookmark?) = ([], bookmark)
    try forwards(from: sequence, after: bookmark, passing: { reached = $0 }) { record, _ in
      if found.count < limit, filter.matches(record.entry) { found.append(record) }
      return found.count < limit
    }
    return (found, reached)
  }

  /// Hands over all entries behind so many, the newest first.
  public func each(behind count: UInt64, _ body: (AuditRecord) -> Void) throws(AuditLogError) {
    try backwards(since: nil) { record in
      guard record.sequence > count else { return false }
      body(record)
      return true
    }
  }

  /// The request events recorded at `since` (milliseconds) or later, newest first; one that was recorded twice comes twice.
  /// - Parameters:
  ///   - older: the search ends after so many entries of an earlier time in a row.
  ///   - last: entries up to this one are left out.
  ///   - dated: only events whose author claims a time in it (seconds), or none that was recorded.
  public func recentEvents(
    since: Int64, limit: Int = .max, older: Int = olderEntriesBeforeStop, after last: UInt64 = 0, dated: ClosedRange<Int64>? = nil
  ) throws(AuditLogError) -> [RecentEvent] {
    var found: [RecentEvent] = []
    try backwards(since: since, older) { record in
      guard record.sequence > last else { return false }
      let isMeant = dated.flatMap { span in record.entry.requestCreatedAt.map { span.contains($0) } } ?? true
      if record.entry.time >= since, isMeant, let id = record.entry.requestID, found.count < limit {
        found.append(RecentEvent(id: id, createdAt: record.entry.requestCreatedAt, recordedAt: record.entry.time))
      }
      return found.count < limit
    }
    return found
  }

  /// The last entry of kind `requestDecided` about each of these request events.
  /// - Parameters:
  ///   - last: entries up to this one are left out.
  ///   - limit: the search ends after so many entries.
  /// - Returns: none for an event that was not found among them.
  public func lastDecisions(
    on events: Set<Bytes32>, after last: UInt64 = 0, limit: Int = .max
  ) throws(AuditLogError) -> [Bytes32: AuditEntry] {
    var (found, looked): ([Bytes32: AuditEntry], Int) = ([:], 0)
    guard !events.isEmpty else { return found }
    try backwards(since: nil) { record in
      guard record.sequence > last else { return false }
      looked += 1
      if record.entry.kind == .requestDecided, let id = record.entry.requestID, found[id] == nil, events.contains(id) {
        found[id] = record.entry
      }
      return found.count < events.count && looked < limit
    }
    return found
  }

  /// The latest state of the vault in the entries behind so many.
  func latestVault(after count: UInt64) throws(AuditLogError) -> VaultMark? {
    var latest: VaultMark?
    try backwards(since: nil) { record in
      guard record.sequence > count else { return false }
      latest = VaultMark.later(latest, record.entry.vault)
      return true
    }
    return latest
  }

  /// See `AuditLog.failedAttempts`.
  /// - Returns: also whether a right secret was found before that entry was reached.
  func failedAttempts(after last: UInt64, codes: Set<AuditRule>) throws(AuditLogError) -> (count: Int, isCleared: Bool) {
    var (count, isCleared) = (0, false)
    try backwards(since: nil) { record in
      let entry = record.entry
      guard record.sequence > last else { return false }
      isCleared = entry.clearsAttempts(codes)
      if entry.kind == .vaultOpenFailed, entry.error == .wrongPassphrase, entry.code.map(codes.contains) == true { count += 1 }
      return !isCleared
    }
    return (count, isCleared)
  }

  /// The entries that were written after a state of the vault, oldest first: behind the last one whose state is that or an earlier one.
  /// - Parameters:
  ///   - revision: of the vault.
  ///   - limit: the search ends after so many entries.
  /// - Returns: those of the kinds; and the time of the last entry before them, nil when that was not reached.
  public func entries(
    after revision: UInt64, of kinds: Set<AuditEntry.Kind>, limit: Int
  ) throws(AuditLogError) -> (entries: [AuditEntry], since: Int64?) {
    var (found, since, looked): ([AuditEntry], Int64?, Int) = ([], nil, 0)
    try backwards(since: nil) { record in
      looked += 1
      if let mark = record.entry.vault, mark.revision <= revision {
        since = record.entry.time
        return false
      }
      if kinds.contains(record.entry.kind) { found.append(record.entry) }
      return looked < limit
    }
    return (found.reversed(), since)
  }

  /// The entry at which content may be cut off so that all that is dropped is older than `time` (milliseconds): the first of an
  /// epoch. Nil when nothing may be dropped.
  /// - Parameter now: an entry that is dated later was written by a clock that was wrong: those around it say how old it is.
  func cut(olderThan time: Int64, now: Int64) throws(AuditLogError) -> UInt64? {
    let latest = now > time ? now : .max
    // Where the epoch of the last entry begins that is older, and the first epoch behind that entry.
    var (cut, start, next): (UInt64?, UInt64?, UInt64?) = (nil, nil, nil)
    try forwards(from: 1) { record, isFirst in
      if isFirst { (start, next) = (record.sequence, next ?? record.sequence) }
      guard record.entry.time <= latest else { return true }
      guard record.entry.time < time else { return false }
      (cut, next) = (start, nil)
      return true
    }
    return (next ?? cut).flatMap { $0 > store.layout.redacted + 1 ? $0 : nil }
  }

  private func forwards(
    from sequence: UInt64, after bookmark: Bookmark? = nil, passing epoch: (Bookmark) -> Void = { _ in },
    _ body: (AuditRecord, _ isFirstOfEpoch: Bool) -> Bool
  ) throws(AuditLogError) {
    let first = Bookmark(sequence: store.layout.redacted + 1, position: store.layout.start)
    let start = bookmark.flatMap { $0.sequence > first.sequence ? $0 : nil } ?? first
    var scanner = ForwardScanner(store, after: start.sequence - 1, at: start.position, to: position.end, checksHashes: false)
    var opener = EntryOpener(key, of: store.header)
    while case .record(let stored) = try scanner.next() {
      if stored.step == 0 { epoch(Bookmark(sequence: stored.sequence, position: stored.position)) }
      guard stored.sequence >= sequence else {
        opener.pass(stored)
        continue
      }
      guard body(try open(stored, with: &opener), stored.step == 0) else { return }
    }
  }

  /// Hands over the records from the newest on until `body` says false, the start is reached, or all seem older than `since`.
  private func backwards(
    since: Int64?, _ mostOlder: Int = olderEntriesBeforeStop, before: UInt64? = nil, _ body: (AuditRecord) -> Bool
  ) throws(AuditLogError) {
    var epochs = EpochReader(store, from: position)
    var opener = EntryOpener(key, of: store.header)
    var older = 0
    while let stored = try epochs.previous() {
      var records: [AuditRecord] = []
      for record in stored where before.map({ record.sequence < $0 }) ?? true { records.append(try open(record, with: &opener)) }
      for record in records.reversed() {
        guard body(record) else { return }
        older = record.entry.time < since ?? .min ? older + 1 : 0
        if older >= mostOlder { return }
      }
    }
  }

  private func open(_ record: StoredRecord, with opener: inout EntryOpener) throws(AuditLogError) -> AuditRecord {
    do {
      return AuditRecord(sequence: record.sequence, entry: try opener.open(record), leafHash: record.leafHash)
    } catch { throw store.fault(record.sequence, at: record.position, error) }
  }
}

extension AuditEntry {
  /// Whether it says that a secret which can be guessed was right: the vault counts from there on. Nobody writes one without the vault's keys.
  func clearsAttempts(_ types: Set<AuditRule>) -> Bool {
    (kind == .vaultOpened || kind == .unlocked) && rule.map(types.contains) == true
  }
}
