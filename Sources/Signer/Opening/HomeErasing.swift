import Platform
package import Vault

/// Removes a vault with its log and device secret from this machine.
package enum HomeErasing {
  /// What was done.
  package struct Outcome: Sendable {
    /// How many files and folders of ours were in the home.
    package var erased = 0
    /// The names of what stays: what Holdfast did not make, and device secrets of other vaults.
    package var left: [String] = []
    /// The names of removed files that have a second name somewhere, under which their contents stay.
    package var linked: [String] = []
  }

  /// Overwrites and removes the files of a vault that no process has open. A symbolic link stays, and so does what it leads to. The
  /// device secret goes first: without it, keys that are bound to this device are lost, whatever remains of the rest.
  /// - Throws: `.noVault`, `.inUse`, `.folderNotPrivate`; `.io` when a file could not be removed.
  package static func erase(_ home: Home) throws(VaultError) -> Outcome {
    guard Vault.exists(home: home.path) else { throw .noVault }
    var outcome = Outcome()
    try Vault.whileClosed(home: home.path) { () throws(VaultError) in
      let names = TemporaryHome.names(in: home.path).sorted()
      let ours = names.filter { HomeFiles.isOurs($0, in: home.path) }
      for name in ours.sorted(by: { isSecret($0) && !isSecret($1) }) {
        let path = home.path + "/" + name
        if hasSecondName(path) { outcome.linked.append(name) }
        let others = wipe(name, path).map { name + "/" + $0 }
        guard !isThere(path) || !others.isEmpty else { throw .io("removing a file of the vault", code: EBUSY) }
        outcome.left += others
        outcome.erased += others.isEmpty ? 1 : 0
      }
      outcome.left = (outcome.left + names.filter { !ours.contains($0) }).sorted()
    }
    rmdir(home.path)  // fails where something is left
    return outcome
  }

  private static func isSecret(_ name: String) -> Bool { name.hasPrefix("device.key") }

  /// - Returns: what is left in a log's folder because Holdfast did not make it.
  private static func wipe(_ name: String, _ path: String) -> [String] {
    guard HomeFiles.isLog(name) else {
      TemporaryHome.wipeEntry(path)
      return []
    }
    var left: [String] = []
    for inside in TemporaryHome.names(in: path) {
      if HomeFiles.isInLog(inside) { TemporaryHome.wipeEntry(path + "/" + inside) }
      if isThere(path + "/" + inside) { left.append(inside) }
    }
    rmdir(path)
    return left
  }

  private static func isThere(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0
  }

  private static func hasSecondName(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG && about.st_nlink > 1
  }
}
