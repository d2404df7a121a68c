/// Why a vault or its log could not be repaired.
package enum VaultRepairError: Error, Equatable {
  /// Every record of the vault is as it was written.
  case nothingDamaged
  /// The vault is the one that the log knows.
  case nothingPutBack
  /// The folder for temporary files cannot be written.
  case noTemporaryFolder
  /// The log's folder cannot be renamed, so that no new log can begin in its place.
  case logNotRenamed
  /// The vault was repaired, but the folder of its lost log cannot be renamed.
  case logNotPutAside
  /// The first entries of a new log could not be written.
  case logNotBegun
}
