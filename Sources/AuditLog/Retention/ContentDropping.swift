internal import Encodings
import Glibc

extension LogStore {
  /// Writes the log anew without the content of the entries before one, and puts it in the place of the old file. A crash leaves
  /// one or the other.
  ///
  /// The new file is locked before it has the name. What a disk keeps of the old file's blocks is not reached; the entries in them
  /// were sealed.
  /// - Parameters:
  ///   - first: the first entry that keeps its content; it begins an epoch.
  ///   - position: behind the last entry.
  func dropped(before first: UInt64, upTo position: LogPosition, in folder: LogFolder) throws(AuditLogError) -> LogStore {
    let new = try LogFile(folder.newLog, flags: O_RDWR | O_CREAT | O_TRUNC)
    try new.lock()
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
    let layout = LogLayout(redacted: sequence, start: start)
    try new.write(header.bytes + layout.bytes(of: header) + stubs, at: 0)
    let store = LogStore(new, header, layout)
    while start < position.end {
      let some = try read(Int(min(1 << 20, position.end - start)), at: start)
      guard !some.isEmpty else { throw .io(.read, code: EIO) }
      try new.write(some, at: store.offset(of: start))
      start += UInt64(some.count)
    }
    try new.sync()
    try folder.put(folder.newLog, inPlaceOf: folder.log)
    return store
  }
}
