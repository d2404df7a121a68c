package import ObjectStorage
import Platform

/// Whether files are lost together with the vault.
package enum VaultsDisk {
  /// Whether a place is a folder on the vault's disk.
  /// - Parameter home: the folder of the vault.
  /// - Returns: false if it is another file system, as far as the system says, or no folder of this machine. Two parts of one disk are two
  ///   file systems: this cannot tell them from two disks.
  package static func has(_ place: BackupPlace?, home: String) -> Bool {
    guard case .folder(let folder) = place else { return false }
    return has(path: folder, home: home)
  }

  /// The same of a file or folder.
  package static func has(path: String, home: String) -> Bool {
    device(of: path).map { $0 == device(of: home) } ?? false
  }

  private static func device(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
  }
}
