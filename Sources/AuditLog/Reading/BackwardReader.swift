internal import Encodings

/// Walks the records from the end of the log to its start by the lengths behind them. Does not check the chain.
struct BackwardReader {
  private static let bufferLength = 1 << 16
  private let file: LogFile
  private var count: UInt64
  private var end: UInt64
  private var buffer: [UInt8] = []
  private var bufferOffset: UInt64 = 0

  init(_ file: LogFile, from position: LogPosition) {
    (self.file, count, end) = (file, position.count, position.end)
  }

  /// - Returns: the entry before, nil before the first.
  /// - Throws: `.fault(.entry)` when there is no whole record where one should end.
  mutating func next() throws(AuditLogError) -> AuditRecord? {
    guard count > 0 else { return nil }
    var reader = ByteReader(try bytes(4))
    guard let length: UInt32 = reader.integer(), Int(length) >= RecordFormat.minimumLength,
      Int(length) <= RecordFormat.maximumLength, end >= UInt64(LogHeader.length) + UInt64(length)
    else { throw fault(.trailer) }
    guard let record = StoredRecord(try bytes(Int(length)), offset: end - UInt64(length)), record.sequence == count else {
      throw fault(.notNext)
    }
    guard let entry = record.entry else { throw fault(.unreadable) }
    (count, end) = (count - 1, record.offset)
    return AuditRecord(sequence: record.sequence, entry: entry)
  }

  private func fault(_ flaw: AuditFault.Flaw) -> AuditLogError { .fault(.entry(sequence: count, offset: end, flaw)) }

  /// The `length` bytes before `end`, fewer when the file is shorter.
  private mutating func bytes(_ length: Int) throws(AuditLogError) -> ArraySlice<UInt8> {
    guard end >= UInt64(length) else { return [] }
    if end - UInt64(length) < bufferOffset || end > bufferOffset + UInt64(buffer.count) {
      bufferOffset = end > UInt64(Self.bufferLength) ? end - UInt64(Self.bufferLength) : 0
      buffer = try file.read(Int(end - bufferOffset), at: bufferOffset)
    }
    let stop = Int(end - bufferOffset)
    guard stop <= buffer.count else { return [] }
    return buffer[stop - length..<stop]
  }
}
