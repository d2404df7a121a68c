package import AuditLog

/// Why a backup was made, as the log says it.
package enum BackupReason {
  /// The owner asked for a file. Nobody knows where that file is now.
  package static let file: AuditRule = "by the owner"
  /// The owner asked for it, and it was stored at a backup place.
  package static let delivery: AuditRule = "by the owner, and read back"
  /// The backup schedule made it.
  package static let plan: AuditRule = "by the plan, and read back"

  /// Whether the signer stored it at a place and read it back there.
  package static func isReadBack(_ reason: AuditRule) -> Bool { [delivery, plan].contains(reason) }
}
