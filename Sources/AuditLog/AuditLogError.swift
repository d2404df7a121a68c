/// Why the log could not be opened, read or written.
public enum AuditLogError: Error, Equatable, Sendable {
  /// Another process, or another object of this one, has the log open.
  case inUse
  /// More entries wait to be written than the queue holds; nothing was recorded.
  case overloaded
  /// The log was closed before the entry was accepted; nothing was recorded.
  case closed
  /// The vault is locked, so the key that opens entries is not there.
  case locked
  /// There is no such entry, or its content was dropped.
  case noSuchEntry
  /// Keys could not be made: no guarded memory is left.
  case sealing
  /// The disk has too little space to write the log anew. In bytes: the needed and the free space.
  case noRoom(needed: UInt64, free: UInt64)
  /// A system call failed. `code` is errno: ENOSPC when the disk is full.
  case io(Step, code: Int32)
  /// The file is not what this log has written. Nothing was overwritten.
  case fault(AuditIntegrityError)

  /// Which system call failed.
  public enum Step: String, Sendable { case folder, open, lock, read, write, sync, truncate, rename, thread }
}

/// A fault of a log, and its place.
public enum AuditIntegrityError: Error, Equatable, Sendable {
  /// There is no log in the folder.
  case missing
  /// The first bytes of `audit.log`, before the entries, are not a log's.
  case damagedHeader
  /// The log was written by a later version of this program.
  case newerVersion(found: UInt32)
  /// The log was made with keys that are not this vault's.
  case otherKeys
  /// `audit.head` is gone although the log has entries.
  case missingHead
  /// `audit.head` is not as it was signed, or belongs to another log.
  case damagedHead
  /// `audit.head` knows of more entries than there are: the end was cut, or an older file restored.
  case rolledBack(recorded: UInt64, found: UInt64)
  /// The vault knows of more entries than there are: log and head were replaced by an older copy, or removed.
  case behindTheVault(known: UInt64, found: UInt64)
  /// The log is not the one the vault knows: it was made anew.
  case notTheVaultsLog
  /// Each entry is right by itself, but one or more from `from` to `to` are not the signed ones.
  case notAsSigned(from: UInt64, to: UInt64)
  /// As `notAsSigned`, by what the vault knows.
  case notAsTheVaultKnows(from: UInt64, to: UInt64)
  /// The contents of the entries 1 to this are gone, and no entry says that the owner dropped them.
  case droppedUnrecorded(to: UInt64)
  /// The first bad entry: the sequence number expected there, and the offset in bytes from the start of `audit.log`.
  case entry(sequence: UInt64, offset: UInt64, Flaw)

  /// A fault of an entry.
  public enum Flaw: String, Error, Sendable {
    /// Length, sequence and step do not follow from the entry before: one was changed, dropped, added or moved.
    case notNext
    /// The entry's bytes do not hash to its leaf hash.
    case altered
    /// The length after the entry differs from the length before it.
    case trailer
    /// The seal does not hold: not made by this log, or made by somebody without its keys.
    case forged
    /// All is right and the content is not one that this version can read.
    case unreadable
    /// The file ends inside the entry although more was recorded.
    case cut
  }
}
