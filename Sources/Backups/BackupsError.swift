package import Vault

/// Why a backup could not be made or read, besides the errors of the vault, of backup files and of places.
package enum BackupsError: Error {
  /// Another backup is being made.
  case isRunning
  /// Nothing is backed up by itself.
  case noPlan
  /// No backup of the name that was asked for lies at the place.
  case noBackupOfThatName
  /// No backup lies at the place.
  case noBackup
  /// The place holds backups of several vaults, and the request names none of them.
  case severalVaults
  /// A bucket needs an access key, and none was given.
  case bucketNeedsKey
  /// What was shown could not be used to open the backup.
  case notOpened(KeyStoreError, by: SlotType)
  /// What was shown opens none of the backup's slots, which are of these types.
  case opensNothing(slots: [SlotType])
}
