import Encodings

/// Reads a log and compares it with the signed head, the anchor in the vault, and the signatures of its epochs.
struct LogWalk {
  /// A position that is known from elsewhere.
  struct Known {
    enum Source { case head, vault }
    let position: LogPosition
    let source: Source
    /// What the head says of the vault, and up to which entry.
    var vault: VaultMark?
    var looked: UInt64 = 0
    /// What a head says of wrong secrets (`LogHead.quiet`).
    var quiet: UInt64 = 0
  }

  private let store: LogStore
  private let known: [Known]
  private let limit: UInt64
  private var scanner: ForwardScanner
  /// Behind the last record that was right.
  private(set) var position: LogPosition
  /// Bytes of an unfinished record at the end.
  private(set) var unfinished: UInt64 = 0
  /// Up to this position the log is covered by a head, an anchor or a signature.
  private var vouched: UInt64

  /// Reads all of the log, or the part after the lowest known position.
  /// - Parameter limit: the position to stop at.
  init(
    _ store: LogStore, known: [Known], fromStart: Bool, to limit: UInt64
  ) throws(AuditLogError) {
    (self.store, self.known, self.limit) = (store, known, limit)
    let lowest = known.map(\.position).min { $0.count < $1.count }
    position = lowest ?? store.header.start
    // Entries without content have no record to begin with.
    let fromStart = fromStart || position.count < store.layout.redacted || position.end > limit
    if fromStart { position = store.header.start }
    vouched = position.count
    scanner = ForwardScanner(store, after: position.count, at: max(position.end, store.layout.start), to: limit)
    if fromStart { try passStubs(limit) } else { try checkLast() }
    try compare()
  }

  /// - Returns: the next record, nil at the end of the log.
  /// - Throws: `.fault` with what is wrong; `position` then stands before it.
  mutating func next() throws(AuditLogError) -> StoredRecord? {
    switch try step() {
    case .record(let record):
      try checkEpoch(record)
      position.tree.append(record.leafHash)
      (position.end, position.last) = (record.end, record.leafHash)
      try compare()
      return record
    case .end: return nil
    case .unfinished(let bytes):
      unfinished = bytes
      return nil
    }
  }

  /// An invalid record may be the result of a power cut. Then the log ends before it.
  private mutating func step() throws(AuditLogError) -> ForwardScanner.Step {
    do { return try scanner.next() } catch {
      guard case .fault = error, try store.lacksSector(recordAt: position.end, to: limit) else { throw error }
      return .unfinished(bytes: limit - position.end)
    }
  }

  /// Call it at the end. It checks that the log is as long as head and anchor say.
  func compareEnd() throws(AuditLogError) {
    for known in known where known.position.count > position.count {
      if unfinished > 0 { throw store.fault(position.count + 1, at: position.end, .cut) }
      switch known.source {
      case .head: throw .fault(.rolledBack(recorded: known.position.count, found: position.count))
      case .vault: throw .fault(.behindTheVault(known: known.position.count, found: position.count))
      }
    }
  }

  private mutating func passStubs(_ limit: UInt64) throws(AuditLogError) {
    guard store.layout.redacted > 0 else { return }
    try store.eachStub { (hash) throws(AuditLogError) in
      position.tree.append(hash)
      position.last = hash
      if position.count < store.layout.redacted { try compare() }
    }
    position.end = store.layout.start
    scanner = ForwardScanner(store, after: position.count, at: position.end, to: limit)
  }

  /// Checks that the entry before the first position is there.
  private func checkLast() throws(AuditLogError) {
    guard position.count > store.layout.redacted else { return }
    let end = UInt64(RecordFormat.endLength)
    guard position.end >= store.layout.start + UInt64(RecordFormat.minimumLength),
      try store.read(32, at: position.end - end) == position.last.array
    else { throw .fault(.notAsSigned(from: 1, to: position.count)) }
  }

  private mutating func checkEpoch(_ record: StoredRecord) throws(AuditLogError) {
    guard let epoch = record.epoch, epoch.isSigned else { return }
    guard epoch.isValid(after: position.tree, of: store.header) else {
      throw .fault(.notAsSigned(from: min(vouched + 1, position.count + 1), to: position.count + 1))
    }
    vouched = position.count
  }

  private mutating func compare() throws(AuditLogError) {
    for known in known where known.position.count == position.count {
      // Of an entry without content, only the hash can be compared.
      let isSame =
        position.count < store.layout.redacted ? known.position.root == position.root : known.position == position
      guard isSame else {
        let (from, to) = (min(vouched + 1, max(1, position.count)), max(1, position.count))
        throw .fault(known.source == .head ? .notAsSigned(from: from, to: to) : .notAsTheVaultKnows(from: from, to: to))
      }
      vouched = position.count
    }
  }
}
