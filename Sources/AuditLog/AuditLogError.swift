/// Why the log could not be opened, read or written.
public enum AuditLogError: Error, Equatable, Sendable {
  /// Another process, or another object of this one, has the log open.
  case inUse
  /// More entries wait to be written than the queue holds; nothing was recorded.
  case overloaded
  /// The log was closed before the entry was accepted; nothing was recorded.
  case closed
  /// A system call failed. `code` is errno: ENOSPC when the disk is full.
  case io(Step, code: Int32)
  /// The file is not what this log has written. Nothing was overwritten.
  case fault(AuditFault)

  /// Which system call failed.
  public enum Step: String, Sendable { case folder, open, lock, read, write, sync, truncate, rename, thread }
}

/// What is wrong with a log, and where.
public enum AuditFault: Error, Equatable, Sendable {
  /// There is no log in the folder.
  case missing
  /// The first 32 bytes of `audit.log` are not a log's.
  case damagedHeader
  /// The log was written by a later version of this program.
  case newerVersion(found: UInt32)
  /// `audit.head` is gone although the log has entries.
  case missingHead
  /// `audit.head` does not check, or belongs to another log.
  case damagedHead
  /// `audit.head` says that there were more entries than there are: the end was cut, or an old file put back.
  case rolledBack(recorded: UInt64, found: UInt64)
  /// The entry that `audit.head` names is there, with another hash: the log was written anew.
  case notTheRecordedHead(sequence: UInt64)
  /// The first bad entry: the sequence number expected there, and the offset in bytes from the start of `audit.log`.
  case entry(sequence: UInt64, offset: UInt64, Flaw)

  /// What is wrong with an entry.
  public enum Flaw: String, Sendable {
    /// Length and sequence do not follow from the entry before: one was changed, dropped, added or moved.
    case notNext
    /// The entry's bytes do not hash to its chain value.
    case altered
    /// The length behind the entry is not the length in front.
    case trailer
    /// The chain is right and the body is not one that this version can read.
    case unreadable
    /// The file ends inside the entry although more was recorded.
    case cut
  }
}
