package import Signer
package import Vault

/// What came of a restore.
package struct RestoredBackup {
  /// The new home.
  package let home: Home
  /// The facts of the backup.
  package let summary: BackupSummary
  /// What was taken out, because it must not live twice.
  package let burnt: BurntState
  /// What became of the list of revocations beside the backup.
  package let revocations: RevocationListOutcome
}
