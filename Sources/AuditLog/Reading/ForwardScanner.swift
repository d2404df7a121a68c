import Encodings

/// Walks the records from a known position to the end of the file, through a buffer of bounded size.
struct ForwardScanner {
  enum Step {
    case record(StoredRecord)
    case end
    /// The file ends inside a record that was never acknowledged; `bytes` are there of it.
    case unfinished(bytes: UInt64)
  }

  private static let bufferLength = 1 << 16
  /// Bytes behind a record that are looked at for zeros: far more than one write has. A file can be of any length and hold none of it.
  private static let mostZeros: UInt64 = 16 << 20
  private let store: LogStore
  private let limit: UInt64
  private let checksHashes: Bool
  /// Number of entries before, and where the next record begins.
  private(set) var count: UInt64
  private(set) var position: UInt64
  private var step: UInt32?
  private var buffer: [UInt8] = []
  private var bufferStart: UInt64 = 0

  /// - Parameters:
  ///   - count: number of entries before `position`, which is `layout.start` or more.
  ///   - limit: the position to stop at.
  ///   - checksHashes: false to follow the lengths only, which is faster.
  init(_ store: LogStore, after count: UInt64, at position: UInt64, to limit: UInt64, checksHashes: Bool = true) {
    (self.store, self.count, self.position, self.limit, self.checksHashes) = (store, count, position, limit, checksHashes)
  }

  /// - Throws: `.fault(.entry)` for the first record that is not as it was written.
  mutating func next() throws(AuditLogError) -> Step {
    guard limit > position else { return .end }
    let there = limit - position
    guard there >= UInt64(RecordFormat.startLength) else { return .unfinished(bytes: there) }
    let start = try bytes(RecordFormat.startLength)
    guard start.count == RecordFormat.startLength else { return .end }  // cut by the writer while we read
    var reader = ByteReader(start)
    guard let length: UInt32 = reader.integer(), let reverse: UInt32 = reader.integer(), reverse == ~length,
      let sequence: UInt64 = reader.integer(), sequence == count + 1, Int(length) >= RecordFormat.minimumLength,
      Int(length) <= RecordFormat.maximumLength
    else {
      if try isZeroToTheEnd() { return .unfinished(bytes: there) }
      throw fault(.notNext)
    }
    guard there >= UInt64(length) else { return .unfinished(bytes: there) }
    let whole = try bytes(Int(length))
    guard whole.count == Int(length) else { return .end }
    guard let record = StoredRecord(whole, position: position) else { throw fault(.trailer) }
    guard !checksHashes || record.leaf.withUnsafeBytes({ MerkleTree.leafHash($0) }) == record.leafHash else {
      throw fault(.altered)
    }
    guard record.step < EntrySealer.entriesPerEpoch, record.step == 0 || step.map({ record.step == $0 + 1 }) ?? true else {
      throw fault(.notNext)
    }
    (count, position, step) = (record.sequence, record.end, record.step)
    return .record(record)
  }

  private func fault(_ flaw: AuditIntegrityError.Flaw) -> AuditLogError { store.fault(count + 1, at: position, flaw) }

  /// Up to `count` bytes at the position.
  private mutating func bytes(_ count: Int) throws(AuditLogError) -> ArraySlice<UInt8> {
    let isBuffered = position >= bufferStart && position + UInt64(count) <= bufferStart + UInt64(buffer.count)
    if !isBuffered {
      buffer = try store.read(Self.bufferLength, at: position)
      bufferStart = position
    }
    let start = Int(position - bufferStart)
    return buffer[start..<min(start + count, buffer.count)]
  }

  /// Some file systems leave zeros where an unfinished write was to go.
  private func isZeroToTheEnd() throws(AuditLogError) -> Bool {
    var at = position
    let end = min(limit, position + Self.mostZeros)
    while at < end {
      let some = try store.read(min(Self.bufferLength, Int(end - at)), at: at)
      guard !some.isEmpty, some.allSatisfy({ $0 == 0 }) else { return false }
      at += UInt64(some.count)
    }
    return true
  }
}
