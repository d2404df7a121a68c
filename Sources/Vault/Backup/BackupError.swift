/// Why a backup could not be written, read or restored. No case carries contents.
public enum BackupError: Error, Sendable {
  /// The file does not begin as a backup does.
  case notABackup
  /// A later version of this program wrote it.
  case newerVersion(found: UInt32)
  /// The part in clear at its beginning is not what was written.
  case headerDamaged
  /// The keys open it, and yet its beginning was not written under them.
  case headerNotAuthentic
  /// A piece of the sealed part does not open; counted from 0.
  case pieceDamaged(index: UInt64)
  /// The file ends too early. Bytes that are missing, as its beginning says.
  case cut(missing: UInt64)
  /// More follows behind the last piece.
  case goesOn
  /// The pieces are whole and their contents are not what a backup holds. Counts rows from 0.
  case malformed(row: UInt64)
  /// A record does not open under the key of its class. Counts rows from 0.
  case recordDamaged(kind: String, row: UInt64)
  /// There is a file, or a vault, of that name already; it was not touched.
  case exists
  /// What was asked to stop has stopped.
  case cancelled
  /// A system call failed at the named step. `code` is errno: ENOSPC when the disk is full.
  case io(StaticString, code: Int32)
  /// The vault refused.
  case vault(VaultError)
  /// What was given opens none of the backup's slots, or could not be used.
  case opener(KeyStoreError)
}

extension BackupError: Equatable {
  /// `StaticString` has no equality of its own; no case holds anything whose text would be ambiguous.
  public static func == (left: BackupError, right: BackupError) -> Bool { "\(left)" == "\(right)" }
}
