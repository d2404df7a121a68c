import Encodings

/// What a comparison with a checkpoint that was kept elsewhere found.
public enum CheckpointComparison: Sendable, Equatable {
  /// The log begins with what it was then.
  case fits
  /// It is not a checkpoint of any log.
  case noCheckpoint
  /// It is one of another log, or its signature does not hold.
  case notOfThisLog
  /// The log had more entries than it has now: it was replaced by an older copy.
  case ahead(known: UInt64, found: UInt64)
  /// The log has as many entries, and they are others.
  case otherEntries(upTo: UInt64)
}

extension AuditLog {
  /// Compares the log with a checkpoint that was kept apart from it.
  /// - Parameter note: as `checkpoint` or `headNote` gave it; possibly a stranger's bytes.
  /// - Throws: `.fault`, `.io` where the log cannot be read.
  public func compare(with note: [UInt8]) throws(AuditLogError) -> CheckpointComparison {
    let (store, position) = view
    return try store.compare(with: note, at: position)
  }

  /// As above, for the log of a folder; needs no key, and a process may be appending meanwhile.
  public static func compare(folder: String, with note: [UInt8]) throws(AuditLogError) -> CheckpointComparison {
    let opened = try OpenedLog(reading: LogFolder(path: folder))
    return try opened.store.compare(with: note, at: opened.position)
  }

  /// The head that is on the disk: a checkpoint that no power cut puts ahead of the log.
  /// - Throws: `.io`.
  public func headNote() throws(AuditLogError) -> [UInt8]? { try folder.headBytes() }
}

extension LogStore {
  fileprivate func compare(with note: [UInt8], at position: LogPosition) throws(AuditLogError) -> CheckpointComparison {
    guard note.count <= LogHead.maximumLength, note.starts(with: LogHeader.originStart.utf8) else { return .noCheckpoint }
    guard let kept = Checkpoint(note, origin: header.origin, signedBy: header.signingKey) else { return .notOfThisLog }
    guard kept.size <= position.count else { return .ahead(known: kept.size, found: position.count) }
    guard kept.size > 0 else { return .fits }
    let isSame = try consistency(from: kept.size, upTo: position).oldRoot == kept.root
    return isSame ? .fits : .otherEntries(upTo: kept.size)
  }
}
