import Encodings

/// Walks the epochs from the end of the log to its start by the lengths behind the records. Does not check hashes.
struct EpochReader {
  private static let bufferLength: UInt64 = 1 << 16
  private let store: LogStore
  private var count: UInt64
  private var end: UInt64
  private var buffer: [UInt8] = []
  private var bufferStart: UInt64 = 0

  init(_ store: LogStore, from position: LogPosition) { (self.store, count, end) = (store, position.count, position.end) }

  /// - Returns: the records of the epoch before, oldest first; nil before the first.
  /// - Throws: `.fault(.entry)` when there is no whole record where one should end.
  mutating func previous() throws(AuditLogError) -> [StoredRecord]? {
    guard count > store.layout.redacted else { return nil }
    let (last, stop) = (count, end)
    let step = try back()
    guard step < EntrySealer.entriesPerEpoch, UInt64(step) <= count - store.layout.redacted else { throw fault(.notNext) }
    for before in (0..<step).reversed() where try back() != before { throw fault(.notNext) }
    var scanner = ForwardScanner(store, after: count, at: end, to: stop, checksHashes: false)
    var records: [StoredRecord] = []
    while case .record(let record) = try scanner.next() { records.append(record) }
    guard scanner.count == last, records.first?.epoch != nil else { throw fault(.notNext) }
    return records
  }

  /// Goes back over one record.
  /// - Returns: its step.
  private mutating func back() throws(AuditLogError) -> UInt32 {
    var trailer = ByteReader(try bytes(4, before: end))
    guard let length: UInt32 = trailer.integer(), Int(length) >= RecordFormat.minimumLength,
      Int(length) <= RecordFormat.maximumLength, end >= store.layout.start + UInt64(length)
    else { throw fault(.trailer) }
    let start = RecordFormat.leafOffset + RecordFormat.placeLength
    var reader = ByteReader(try bytes(start, before: end - UInt64(length) + UInt64(start)))
    guard let again: UInt32 = reader.integer(), again == length, reader.take(4) != nil, let sequence: UInt64 = reader.integer(),
      sequence == count, let step: UInt32 = reader.integer()
    else { throw fault(.notNext) }
    (count, end) = (count - 1, end - UInt64(length))
    return step
  }

  private func fault(_ flaw: AuditIntegrityError.Flaw) -> AuditLogError { store.fault(count, at: end, flaw) }

  /// The `length` bytes before a position, fewer when the file is shorter.
  private mutating func bytes(_ length: Int, before stop: UInt64) throws(AuditLogError) -> ArraySlice<UInt8> {
    guard stop >= store.layout.start + UInt64(length) else { return [] }
    if stop - UInt64(length) < bufferStart || stop > bufferStart + UInt64(buffer.count) {
      bufferStart = max(store.layout.start, stop > Self.bufferLength ? stop - Self.bufferLength : 0)
      buffer = try store.read(Int(stop - bufferStart), at: bufferStart)
    }
    let end = Int(stop - bufferStart)
    return end <= buffer.count ? buffer[end - length..<end] : []
  }
}
