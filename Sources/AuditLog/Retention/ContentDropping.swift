internal import Encodings
import Glibc

/// The log written anew without the content of the entries before one, on its way to the place of the old file. A crash leaves one or
/// the other, and at most a file that the next opening removes.
///
/// What a disk keeps of the old file's blocks is not reached; the entries in them were sealed.
struct LogCopy: Sendable {
  /// The new file.
  let store: LogStore
  private let old: LogStore
  private let folder: LogFolder
  /// Up to which position it was copied.
  private var end: UInt64

  /// Writes and syncs it up to a position that is shown: what is before that never changes, so others may go on writing behind it.
  ///
  /// The new file is locked before it has the log's name.
  /// - Parameters:
  ///   - first: the first entry that keeps its content; it begins an epoch.
  ///   - position: behind the last entry that is copied now.
  /// - Throws: also `.noRoom`. No file is left then.
  init(of old: LogStore, from first: UInt64, upTo position: LogPosition, in folder: LogFolder) throws(AuditLogError) {
    let (stubs, layout) = try old.stubs(before: first, upTo: position)
    let front = old.header.bytes + layout.bytes(of: old.header) + stubs
    try folder.checkRoom(for: UInt64(front.count) + position.end - layout.start)
    let file = try LogFile(folder.newLog, flags: O_RDWR | O_CREAT | O_TRUNC)
    (self.old, self.folder, store, end) = (old, folder, LogStore(file, old.header, layout), layout.start)
    do throws(AuditLogError) {
      try file.lock()
      try file.write(front, at: 0)
      try copy(upTo: position)
    } catch {
      remove()
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

  /// Gives it up.
  func remove() { if store.file.isNamed(folder.newLog) { folder.removeNewLog() } }
}

extension LogStore {
  /// What stays of the entries before one, and the layout that goes with it.
  fileprivate func stubs(before first: UInt64, upTo position: LogPosition) throws(AuditLogError) -> ([UInt8], LogLayout) {
    var stubs: [UInt8] = []
    var sequence: UInt64 = 0
    try eachStub { (hash) throws(AuditLogError) in
      sequence += 1
      stubs += LogLayout.stub(hash, sequence: sequence)
    }
    var scanner = ForwardScanner(self, after: layout.redacted, at: layout.start, to: position.end)
    var start = layout.start
    while sequence + 1 < first, case .record(let record) = try scanner.next() {
      (sequence, start) = (record.sequence, record.end)
      stubs += LogLayout.stub(record.leafHash, sequence: sequence)
    }
    guard sequence + 1 == first else { throw .noSuchEntry }
    return (stubs, LogLayout(redacted: sequence, start: start))
  }
}
