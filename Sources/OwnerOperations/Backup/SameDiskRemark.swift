import Backups
import ObjectStorage
import Platform

/// A remark about a folder for backups that is lost together with the vault.
enum SameDiskRemark {
  /// - Parameters:
  ///   - place: where backups go.
  ///   - home: the folder of the vault.
  /// - Returns: nil if it is another file system, as far as the system says, or no folder of this machine. Two parts of one disk are two
  ///   file systems: this cannot tell them from two disks.
  static func text(for place: PlaceText, home: String) -> String? {
    guard case .folder(let folder) = try? place.place(), let disk = device(of: folder), disk == device(of: home) else {
      return nil
    }
    return "This folder is on the same disk as the vault: if that disk breaks, both are lost."
  }

  private static func device(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
  }
}
