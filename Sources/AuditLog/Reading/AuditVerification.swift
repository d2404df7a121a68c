public import Encodings
import Glibc

/// What a check of the whole log found.
public struct AuditVerification: Sendable, Equatable {
  /// Number of entries that are right, from the first on.
  public let entries: UInt64
  /// Chain value of the last of them: whoever noted it earlier can compare.
  public let chain: Bytes32
  /// Bytes of an unfinished record at the end, which a crash or a writer at work leaves. Not a fault.
  public let unfinishedBytes: UInt64
  /// The first fault, nil when all is right.
  public let fault: AuditFault?
}

extension AuditVerification {
  /// Reads every byte of both files.
  /// - Throws: only when reading fails.
  init(of folder: LogFolder) throws(AuditLogError) {
    let head = try folder.headBytes()  // first, see OpenedLog
    var checked = LogPosition(count: 0, end: 0, chain: Bytes32())
    var unfinished: UInt64 = 0
    var fault: AuditFault?
    do {
      unfinished = try Self.check(folder, head: head, upTo: &checked)
    } catch {
      guard case .fault(let found) = error else { throw error }
      fault = found
    }
    self.init(entries: checked.count, chain: checked.chain, unfinishedBytes: unfinished, fault: fault)
  }

  /// - Returns: the length of an unfinished record at the end.
  /// - Throws: `.fault` with the first fault; `checked` then stands before it.
  private static func check(
    _ folder: LogFolder, head: [UInt8]?, upTo checked: inout LogPosition
  ) throws(AuditLogError) -> UInt64 {
    let file: LogFile
    do { file = try LogFile(folder.log, flags: O_RDONLY) } catch {
      throw error == .io(.open, code: ENOENT) ? .fault(.missing) : error
    }
    let header = try OpenedLog.header(of: file)
    checked = header.start
    var scanner = ForwardScanner(file, from: header.start, to: try file.size())
    let recorded: Result<LogPosition, AuditFault> = Result { () throws(AuditFault) in
      guard let head else { throw .missingHead }
      return try LogHead.position(head, of: header)
    }
    while true {
      if case .success(let recorded) = recorded, recorded.count == checked.count, recorded != checked {
        throw .fault(.notTheRecordedHead(sequence: checked.count))
      }
      switch try scanner.next() {
      case .record(let record):
        guard record.entry != nil else {
          throw .fault(.entry(sequence: record.sequence, offset: record.offset, .unreadable))
        }
        checked = scanner.position
      case .end:
        try compare(checked, with: recorded, unfinished: 0)
        return 0
      case .unfinished(let bytes):
        try compare(checked, with: recorded, unfinished: bytes)
        return bytes
      }
    }
  }

  private static func compare(
    _ end: LogPosition, with recorded: Result<LogPosition, AuditFault>, unfinished: UInt64
  ) throws(AuditLogError) {
    switch recorded {
    case .failure(let fault): throw .fault(fault)
    case .success(let recorded) where recorded.count > end.count:
      guard unfinished == 0 else { throw .fault(.entry(sequence: end.count + 1, offset: end.end, .cut)) }
      throw .fault(.rolledBack(recorded: recorded.count, found: end.count))
    case .success: return
    }
  }
}
