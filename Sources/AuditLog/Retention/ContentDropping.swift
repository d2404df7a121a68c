import Encodings
import Platform

/// A new copy of the log without the content of its first entries. It replaces the old file by a rename. A crash leaves the old
/// or the new log, and at most one file that the next opening removes.
///
/// Blocks of the old file may remain on the disk. The entries in them are sealed.
struct LogCopy: Sendable {
  /// The new file.
  let store: LogStore
  private let old: LogStore
  private let folder: LogFolder
  /// Up to which position it was copied.
  private var end: UInt64

  /// Copies and syncs the log up to a durable position. That part never changes, so entries can be appended meanwhile.
  ///
  /// The new file is locked before it has the log's name.
  /// - Parameters:
  ///   - first: the first entry that keeps its content; it begins an epoch.
  ///   - position: behind the last entry that is copied now.
  /// - Throws: also `.noRoom`. No file is left then.
  init(of old: LogStore, from first: UInt64, upTo position: LogPosition, in folder: LogFolder) throws(AuditLogError) {
    try folder.checkRoom(for: LogLayout.firstRecord + (first - 1) * LogLayout.stubLength)
    let file = try LogFile(new: folder.newLog)
    do throws(AuditLogError) {
      try file.lock()
      let layout = try old.writeStubs(before: first, upTo: position, to: file)
      try file.write(old.header.bytes + layout.bytes(of: old.header), at: 0)
      (self.old, self.folder, store, end) = (old, folder, LogStore(file, old.header, layout), layout.start)
      try copy(upTo: position)
    } catch {
      if file.isNamed(folder.newLog) { folder.removeNewLog() }
      throw error
    }
  }

  /// Copies and syncs what was written since.
  mutating func copy(upTo position: LogPosition) throws(AuditLogError) {
    try folder.checkRoom(for: position.end - end)
    while end < position.end {
      let some = try old.read(Int(min(1 << 20, position.end - end)), at: end)
      guard !some.isEmpty else { throw .io(.read, code: EIO) }
      try store.file.write(some, at: store.offset(of: end))
      end += UInt64(some.count)
    }
    try store.file.sync()
  }

  /// - Throws: see `isInPlace`: only whether that outlives a power cut may be unknown.
  func takePlace() throws(AuditLogError) { try folder.put(folder.newLog, inPlaceOf: folder.log) }

  /// Whether it is the log now.
  var isInPlace: Bool { store.file.isNamed(folder.log) }

  /// Removes the copy.
  func remove() { if store.file.isNamed(folder.newLog) { folder.removeNewLog() } }
}

extension LogStore {
  /// Writes the leaf hashes of the entries before `first`.
  /// - Returns: the layout that goes with it.
  fileprivate func writeStubs(
    before first: UInt64, upTo position: LogPosition, to file: LogFile
  ) throws(AuditLogError) -> LogLayout {
    var writer = StubWriter(file)
    try eachStub { (hash) throws(AuditLogError) in try writer.write(hash) }
    var scanner = ForwardScanner(self, after: layout.redacted, at: layout.start, to: position.end)
    var start = layout.start
    while writer.count + 1 < first, case .record(let record) = try scanner.next() {
      start = record.end
      try writer.write(record.leafHash)
    }
    guard writer.count + 1 == first else { throw .noSuchEntry }
    try writer.flush()
    return LogLayout(redacted: writer.count, start: start)
  }
}

/// Writes stubs, the first entry's first, some at a time.
private struct StubWriter {
  /// How many bytes are gathered.
  private static let gathered = 1 << 20

  private(set) var count: UInt64 = 0
  private let file: LogFile
  private var offset = LogLayout.firstRecord
  private var bytes: [UInt8] = []

  init(_ file: LogFile) { self.file = file }

  mutating func write(_ leafHash: Bytes32) throws(AuditLogError) {
    count += 1
    bytes += LogLayout.stub(leafHash, sequence: count)
    if bytes.count >= Self.gathered { try flush() }
  }

  mutating func flush() throws(AuditLogError) {
    try file.write(bytes, at: offset)
    offset += UInt64(bytes.count)
    bytes.removeAll(keepingCapacity: true)
  }
}
