import Platform
package import Vault

/// Removes a vault with its log and device secret from this machine.
package enum HomeErasing {
  /// What was done.
  package struct Outcome: Sendable {
    /// How many files and folders of ours were in the home.
    package var erased = 0
    /// The names of what stays: files that Holdfast did not make, and device secrets of other vaults.
    package var left: [String] = []
  }

  /// Overwrites and removes the files of a vault that no process has open. The device secret goes first: without it, keys that are
  /// bound to this device are lost, whatever remains of the rest.
  /// - Throws: `.noVault`, `.inUse`, `.folderNotPrivate`; `.io` when a file could not be removed.
  package static func erase(_ home: Home) throws(VaultError) -> Outcome {
    guard Vault.exists(home: home.path) else { throw .noVault }
    var outcome = Outcome()
    try Vault.whileClosed(home: home.path) { () throws(VaultError) in
      let names = TemporaryHome.names(in: home.path).filter { $0 != "." && $0 != ".." }.sorted()
      for name in names.filter(isOurs).sorted(by: { isSecret($0) && !isSecret($1) }) {
        TemporaryHome.wipeEntry(home.path + "/" + name)
        guard access(home.path + "/" + name, F_OK) != 0 else { throw .io("removing a file of the vault", code: EBUSY) }
        outcome.erased += 1
      }
      outcome.left = names.filter { !isOurs($0) }
    }
    rmdir(home.path)  // fails where something is left
    return outcome
  }

  private static let exact: Set<String> = [
    "device.key", "device.key.new", "lock", "control.sock", "log", "suspended", StagingFolder.marker,
  ]
  private static let beginnings = ["vault.db", "log-", "backup.spool", "backup.download", "rehearsal-"]

  /// Whether Holdfast makes files of that name in a home.
  static func isOurs(_ name: String) -> Bool { exact.contains(name) || beginnings.contains { name.hasPrefix($0) } }

  private static func isSecret(_ name: String) -> Bool { name.hasPrefix("device.key") }
}
