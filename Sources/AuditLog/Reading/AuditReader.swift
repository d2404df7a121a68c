public import Curve
public import Encodings

/// An entry with its place in the log.
public struct AuditRecord: Sendable, Hashable {
  /// 1 for the first entry of the log.
  public let sequence: UInt64
  /// What was recorded.
  public let entry: AuditEntry
}

/// Which entries to show; nil means any.
public struct AuditFilter: Sendable {
  /// Only entries of this app.
  public var client: PublicKey?
  /// Only entries of these kinds.
  public var kinds: Set<AuditEntry.Kind>?
  /// Milliseconds since 1970-01-01 UTC: only entries of that time or later.
  public var since: Int64?
  /// Only entries about events of this kind.
  public var eventKind: UInt16?

  /// A filter that lets everything through unless told otherwise.
  public init(client: PublicKey? = nil, kinds: Set<AuditEntry.Kind>? = nil, since: Int64? = nil, eventKind: UInt16? = nil) {
    (self.client, self.kinds, self.since, self.eventKind) = (client, kinds, since, eventKind)
  }

  /// Whether the entry is wanted.
  public func matches(_ entry: AuditEntry) -> Bool {
    (client == nil || entry.client == client) && (kinds?.contains(entry.kind) ?? true) && entry.time >= since ?? .min
      && (eventKind == nil || entry.eventKind == eventKind)
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

/// Reads a log, whether or not a process is appending to it. Memory is bounded; the chain is not checked (`AuditLog.verify` does).
public struct AuditReader: Sendable {
  /// Reading backwards for entries since a time ends after so many older ones in a row: the clock may have been set back.
  public static let olderEntriesBeforeStop = 1024
  private let file: LogFile
  private let position: LogPosition
  private let start: LogPosition

  /// Opens the log of a folder for reading, up to the last whole entry that is there now.
  /// - Throws: `.fault` when header, head or an entry behind the head is not right.
  public init(folder: String) throws(AuditLogError) {
    let opened = try OpenedLog(reading: LogFolder(path: folder))
    self.init(opened.file, opened.header, opened.position)
  }

  init(_ file: LogFile, _ header: LogHeader, _ position: LogPosition) {
    (self.file, self.position, start) = (file, position, header.start)
  }

  /// Number of entries.
  public var count: UInt64 { position.count }

  /// The newest `limit` entries that match, oldest of them first.
  public func tail(_ limit: Int, matching filter: AuditFilter = AuditFilter()) throws(AuditLogError) -> [AuditRecord] {
    var found: [AuditRecord] = []
    try backwards(since: filter.since) { record in
      if filter.matches(record.entry) { found.append(record) }
      return found.count < limit
    }
    return found.prefix(max(0, limit)).reversed()
  }

  /// The first `limit` entries from `sequence` on that match, oldest first.
  public func read(
    from sequence: UInt64, limit: Int, matching filter: AuditFilter = AuditFilter()
  ) throws(AuditLogError) -> [AuditRecord] {
    var scanner = ForwardScanner(file, from: start, to: position.end, checksChain: false)
    var found: [AuditRecord] = []
    while found.count < limit, case .record(let record) = try scanner.next() {
      guard record.sequence >= sequence else { continue }
      guard let entry = record.entry else {
        throw .fault(.entry(sequence: record.sequence, offset: record.offset, .unreadable))
      }
      if filter.matches(entry) { found.append(AuditRecord(sequence: record.sequence, entry: entry)) }
    }
    return found
  }

  /// The request events recorded at `since` (milliseconds) or later, newest first; one that was recorded twice comes twice.
  /// - Parameter older: the search ends after so many entries of an earlier time in a row.
  public func recentEvents(
    since: Int64, limit: Int = .max, older: Int = olderEntriesBeforeStop
  ) throws(AuditLogError) -> [RecentEvent] {
    var found: [RecentEvent] = []
    try backwards(since: since, older) { record in
      if record.entry.time >= since, let id = record.entry.requestID, found.count < limit {
        found.append(RecentEvent(id: id, createdAt: record.entry.requestCreatedAt, recordedAt: record.entry.time))
      }
      return found.count < limit
    }
    return found
  }

  /// Hands over the records from the newest on until `body` says false, the start is reached, or all seem older than `since`.
  private func backwards(
    since: Int64?, _ mostOlder: Int = olderEntriesBeforeStop, _ body: (AuditRecord) -> Bool
  ) throws(AuditLogError) {
    var reader = BackwardReader(file, from: position)
    var older = 0
    while let record = try reader.next(), body(record) {
      older = record.entry.time < since ?? .min ? older + 1 : 0
      if older >= mostOlder { return }
    }
  }
}
