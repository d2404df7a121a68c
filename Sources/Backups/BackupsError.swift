package import Vault

/// Why a backup could not be made or read, besides the errors of the vault, of backup files and of places.
package enum BackupsError: Error {
  /// Another backup is being made.
  case isRunning
  /// There is no plan for automatic backups.
  case noPlan
  /// There is no backup with the requested name at the place.
  case noBackupOfThatName
  /// There is no backup at the place.
  case noBackup
  /// The place holds backups of several vaults, and the request names none of them.
  case severalVaults
  /// A bucket needs an access key, and none was given.
  case bucketNeedsKey
  /// The credential could not be used to open the backup.
  case notOpened(KeyStoreError, by: SlotType)
  /// The credential opens none of the backup's slots, which are of these types.
  case opensNothing(slots: [SlotType])
}
