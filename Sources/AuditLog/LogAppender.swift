/// Seals entries and appends them to the file. One thread at a time.
struct LogAppender {
  /// Behind the last entry in the file.
  private(set) var position: LogPosition
  private var sealer: EntrySealer
  /// There may be bytes of a failed write after the last entry.
  private var needsCut = false
  private var buffer: [UInt8] = []
  /// While entries in the file are being synced: where they begin, and what was written behind them meanwhile.
  private var syncing: (start: LogPosition, notes: [AuditEntry])?
  /// Entries without a waiting caller that were removed together with entries that could not be synced, and that could not be
  /// written again yet. They are written first.
  private var owed: [AuditEntry] = []
  /// The log is closed: nothing is written any more.
  private(set) var isClosed = false

  init(_ position: LogPosition, _ sealer: EntrySealer) { (self.position, self.sealer) = (position, sealer) }

  /// Whether entries are being synced. Later entries are not visible before that ends.
  var isSyncing: Bool { syncing != nil }

  /// Writes entries that somebody waits for. `endSync` or `takeBack` follows.
  /// - Returns: the first entry's sequence number. On failure the file is as it was before.
  mutating func begin(_ entries: [AuditEntry], in store: LogStore) throws(AuditLogError) -> UInt64 {
    try writeOwed(in: store)
    let start = position
    try write(entries, in: store)
    syncing = (start, [])
    return start.count + 1
  }

  /// The entries are on the disk.
  /// - Returns: whether others were written meanwhile, and may not be.
  mutating func endSync() -> Bool {
    defer { syncing = nil }
    return syncing?.notes.isEmpty == false
  }

  /// Removes entries that could not be synced. Entries written after them are written again in their place.
  mutating func takeBack(in store: LogStore) {
    guard let (start, notes) = syncing else { return }
    syncing = nil
    position = start
    needsCut = true
    sealer.abandonEpoch()
    owed += notes
    do { try owed.isEmpty ? cut(in: store) : writeOwed(in: store) } catch {}  // the next write does it
  }

  /// Ends writing, and leaves nothing after the last entry.
  mutating func close(in store: LogStore) {
    isClosed = true
    try? writeOwed(in: store)
    try? cut(in: store)
  }

  /// Writes entries without syncing them, all of them or none.
  mutating func note(_ entries: [AuditEntry], in store: LogStore) throws(AuditLogError) {
    guard !isClosed else { throw .closed }
    try writeOwed(in: store)
    try write(entries, in: store)
    syncing?.notes += entries
  }

  /// Cuts off what a failed write left: the next record belongs in its place.
  mutating func cut(in store: LogStore) throws(AuditLogError) {
    guard needsCut else { return }
    try store.file.truncate(to: store.offset(of: position.end))
    needsCut = false
  }

  private mutating func writeOwed(in store: LogStore) throws(AuditLogError) {
    guard !owed.isEmpty else { return }
    try write(owed, in: store)
    owed = []
  }

  private mutating func write(_ entries: [AuditEntry], in store: LogStore) throws(AuditLogError) {
    try cut(in: store)
    buffer.removeAll(keepingCapacity: true)
    var next = position
    do {
      for entry in entries { try sealer.append(entry, at: &next, to: &buffer) }
      needsCut = true
      try store.file.write(buffer, at: store.offset(of: position.end))
    } catch {
      sealer.abandonEpoch()
      try? cut(in: store)
      throw error
    }
    (position, needsCut) = (next, false)
  }
}
