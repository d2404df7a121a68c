internal import Encodings
import Glibc

/// A log whose header, head and end were looked at: from the head's position on every record is checked against the chain.
struct OpenedLog {
  let file: LogFile
  let header: LogHeader
  /// Behind the last whole record.
  let position: LogPosition
  /// Bytes of an unfinished record behind it.
  let unfinished: UInt64

  /// Opens the files without changing or locking them.
  init(reading folder: LogFolder) throws(AuditLogError) {
    let head = try folder.headBytes()  // first: what is written meanwhile makes the log longer than its head, never shorter
    do { file = try LogFile(folder.log, flags: O_RDONLY) } catch {
      throw error == .io(.open, code: ENOENT) ? .fault(.missing) : error
    }
    (header, position, unfinished) = try Self.end(of: file, head: head)
  }

  /// Opens for appending: takes the lock, makes what is not there yet, changes nothing else.
  init(appending folder: LogFolder, newID: [UInt8]) throws(AuditLogError) {
    try folder.make()
    let isHeadThere = try folder.headBytes() != nil
    // With a head there was a log: a new one must not take its place.
    do { file = try LogFile(folder.log, flags: isHeadThere ? O_RDWR : O_RDWR | O_CREAT) } catch {
      throw error == .io(.open, code: ENOENT) ? .fault(.missing) : error
    }
    try file.lock()
    var head = try folder.headBytes()  // again: before the lock another process may have been at work
    if head == nil, try file.size() < UInt64(LogHeader.length) {
      try file.truncate(to: 0)
      try file.write(LogHeader(logID: newID).bytes, at: 0)
      try file.sync()
      try folder.sync()
    }
    if head == nil, try file.size() == UInt64(LogHeader.length) {
      let header = try Self.header(of: file)
      let bytes = LogHead.bytes(header.start, of: header)
      try folder.writeHead(bytes)
      head = bytes
    }
    (header, position, unfinished) = try Self.end(of: file, head: head)
  }

  static func header(of file: LogFile) throws(AuditLogError) -> LogHeader {
    let bytes = try file.read(LogHeader.length, at: 0)
    do { return try LogHeader(bytes) } catch { throw .fault(error) }
  }

  private static func end(
    of file: LogFile, head: [UInt8]?
  ) throws(AuditLogError) -> (LogHeader, LogPosition, unfinished: UInt64) {
    let header = try header(of: file)
    let size = try file.size()
    guard let head else { throw .fault(.missingHead) }
    let recorded: LogPosition
    do { recorded = try LogHead.position(head, of: header) } catch { throw .fault(error) }
    guard recorded.count > 0 || recorded == header.start else { throw .fault(.damagedHead) }
    guard size >= recorded.end else {
      throw .fault(.rolledBack(recorded: recorded.count, found: try count(in: file, header, to: size)))
    }
    if recorded.count > 0 {
      guard recorded.end >= UInt64(LogHeader.length + RecordFormat.minimumLength) else { throw .fault(.damagedHead) }
      let chain = try file.read(32, at: recorded.end - UInt64(RecordFormat.endLength))
      guard chain == recorded.chain.array else { throw .fault(.notTheRecordedHead(sequence: recorded.count)) }
    }
    var scanner = ForwardScanner(file, from: recorded, to: size)
    while true {
      switch try scanner.next() {
      case .record: continue
      case .end: return (header, scanner.position, 0)
      case .unfinished(let bytes): return (header, scanner.position, bytes)
      }
    }
  }

  /// Number of whole records, for the message about a cut.
  private static func count(in file: LogFile, _ header: LogHeader, to size: UInt64) throws(AuditLogError) -> UInt64 {
    var scanner = ForwardScanner(file, from: header.start, to: size)
    do { while case .record = try scanner.next() {} } catch {
      guard case .fault = error else { throw error }
    }
    return scanner.position.count
  }
}
