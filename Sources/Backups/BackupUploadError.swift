/// Why a browser's upload of a backup does not go on.
package enum BackupUploadError: Error, Equatable {
  /// A file of that length is none that a browser may send.
  case length(limit: Int64)
  /// As many uploads as may be are under way.
  case tooMany
  /// There is no such upload in this session. It may have ended.
  case gone
  /// A part that does not follow the one before it.
  case outOfOrder(expected: Int64)
  /// An empty part, or one that is longer than may be, or longer than what is missing.
  case partLength
  /// The file is not complete yet. The bytes that are missing.
  case incomplete(missing: Int64)
  /// Another upload is being checked.
  case isChecking
}
