import Backups
import ObjectStorage

/// A remark about a folder for backups that is lost together with the vault.
enum SameDiskRemark {
  /// - Parameters:
  ///   - place: where backups go.
  ///   - home: the folder of the vault.
  /// - Returns: nil unless the place is on the vault's disk.
  static func text(for place: PlaceText, home: String) -> String? {
    guard VaultsDisk.has(try? place.place(), home: home) else { return nil }
    return "This folder is on the same disk as the vault: if that disk breaks, both are lost."
  }
}
