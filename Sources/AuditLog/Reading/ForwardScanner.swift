internal import Encodings

/// Walks the records from a known position to the end of the file, through a buffer of bounded size.
struct ForwardScanner {
  enum Step {
    case record(StoredRecord)
    case end
    /// The file ends inside a record that was never acknowledged; `bytes` are there of it.
    case unfinished(bytes: UInt64)
  }

  private static let bufferLength = 1 << 16
  private let file: LogFile
  private let limit: UInt64
  private let checksChain: Bool
  /// Behind the last record that was right.
  private(set) var position: LogPosition
  private var buffer: [UInt8] = []
  private var bufferOffset: UInt64 = 0

  /// - Parameters:
  ///   - limit: where to stop, in bytes from the start of the file.
  ///   - checksChain: false to follow the lengths only, which is faster.
  init(_ file: LogFile, from position: LogPosition, to limit: UInt64, checksChain: Bool = true) {
    (self.file, self.position, self.limit, self.checksChain) = (file, position, limit, checksChain)
  }

  /// - Throws: `.fault(.entry)` for the first record that is not as it was written.
  mutating func next() throws(AuditLogError) -> Step {
    guard limit > position.end else { return .end }
    let there = limit - position.end
    guard there >= UInt64(RecordFormat.startLength) else { return .unfinished(bytes: there) }
    let start = try bytes(RecordFormat.startLength)
    guard start.count == RecordFormat.startLength else { return .end }  // cut by the writer while we read
    var reader = ByteReader(start)
    guard let length: UInt32 = reader.integer(), let sequence: UInt64 = reader.integer(), hasRightStart(start),
      sequence == position.count + 1, Int(length) >= RecordFormat.minimumLength, Int(length) <= RecordFormat.maximumLength
    else {
      if try isZeroToTheEnd() { return .unfinished(bytes: there) }
      throw fault(.notNext)
    }
    guard there >= UInt64(length) else { return .unfinished(bytes: there) }
    let whole = try bytes(Int(length))
    guard whole.count == Int(length) else { return .end }
    let chain = checksChain ? RecordFormat.chainValue(of: whole.dropLast(RecordFormat.endLength), after: position.chain) : nil
    if let chain, !chain.array.elementsEqual(whole.suffix(RecordFormat.endLength).prefix(32)) { throw fault(.altered) }
    guard let record = StoredRecord(whole, offset: position.end) else { throw fault(.trailer) }
    position = LogPosition(count: record.sequence, end: record.end, chain: record.chain)
    return .record(record)
  }

  private func hasRightStart(_ start: ArraySlice<UInt8>) -> Bool {
    guard checksChain else { return true }
    return RecordFormat.startCheck(of: start.prefix(12), after: position.chain).elementsEqual(start.suffix(4))
  }

  private func fault(_ flaw: AuditFault.Flaw) -> AuditLogError {
    .fault(.entry(sequence: position.count + 1, offset: position.end, flaw))
  }

  /// Up to `count` bytes at the position.
  private mutating func bytes(_ count: Int) throws(AuditLogError) -> ArraySlice<UInt8> {
    let isBuffered = position.end >= bufferOffset && position.end + UInt64(count) <= bufferOffset + UInt64(buffer.count)
    if !isBuffered {
      buffer = try file.read(Self.bufferLength, at: position.end)
      bufferOffset = position.end
    }
    let start = Int(position.end - bufferOffset)
    return buffer[start..<min(start + count, buffer.count)]
  }

  /// Some file systems leave zeros where an unfinished write was to go.
  private func isZeroToTheEnd() throws(AuditLogError) -> Bool {
    var offset = position.end
    while offset < limit {
      let some = try file.read(min(Self.bufferLength, Int(limit - offset)), at: offset)
      guard !some.isEmpty, some.allSatisfy({ $0 == 0 }) else { return false }
      offset += UInt64(some.count)
    }
    return true
  }
}
