import Platform
package import Vault

/// Removes a vault with its log and device secret from this machine.
package enum HomeErasing {
  /// What was done.
  package struct Outcome: Sendable {
    /// How many files were removed.
    package var erased = 0
    /// The names of what stays: what Holdfast did not make, and device secrets of other vaults.
    package var left: [String] = []
    /// The names of removed files that have a second name somewhere, under which their contents stay.
    package var linked: [String] = []
    /// The names of other removed files that could not be overwritten.
    package var unwritten: [String] = []
  }

  /// Overwrites and removes the files of a vault that no process has open. A symbolic link stays, and so does what it leads to.
  /// - Throws: `.noVault`, `.inUse`, `.folderNotPrivate`; `.io` when a file could not be removed.
  package static func erase(_ home: Home) throws(VaultError) -> Outcome {
    guard Vault.exists(home: home.path) else { throw .noVault }
    var outcome = Outcome()
    try Vault.whileClosed(home: home.path) { () throws(VaultError) in
      guard let names = FolderNames.readable(in: home.path)?.sorted() else {
        throw .io("reading the vault's folder", code: errno)
      }
      let ours = names.filter { HomeFiles.isOurs($0, in: home.path) }
      for name in ours.sorted(by: { turn(of: $0) < turn(of: $1) }) {
        let (wiped, others) = try wipe(name, home.path + "/" + name, in: home.path)
        outcome.erased += wiped.removed
        outcome.linked += wiped.linked
        outcome.unwritten += wiped.unwritten
        guard !isThere(home.path + "/" + name) || !others.isEmpty else { throw stays }
        outcome.left += others
      }
      outcome.left = (outcome.left + names.filter { !ours.contains($0) }).sorted()
    }
    rmdir(home.path)  // fails where something is left
    return outcome
  }

  /// When an entry is removed: entries with a lower number go first. The device secret is the first, because keys that are bound to this
  /// device cannot be opened without it, whatever else is left. The vault comes after its copies and the log, so that an erasing that was cut
  /// off can be repeated. Its lock is the last.
  private static func turn(of name: String) -> Int {
    switch name {
    case "vault.db": 2
    case "lock": 3
    default: name.hasPrefix("device.key") ? 0 : 1
    }
  }

  /// - Returns: also what is left in a log's folder because Holdfast did not make it.
  private static func wipe(
    _ name: String, _ path: String, in home: String
  ) throws(VaultError) -> (Wiping.Outcome, left: [String]) {
    if RehearsalFolder.isOne(name, in: home) { return (RehearsalFolder.wipe(path, as: name), []) }
    guard HomeFiles.isLog(name) else { return (Wiping.wipe(path, as: name), []) }
    guard let names = FolderNames.readable(in: path) else { throw .io("reading the log's folder", code: errno) }
    var (outcome, left) = (Wiping.Outcome(), [String]())
    for inside in names {
      guard HomeFiles.isInLog(inside, path) else {
        left.append(name + "/" + inside)
        continue
      }
      outcome.add(Wiping.wipe(path + "/" + inside, as: name + "/" + inside))
      guard !isThere(path + "/" + inside) else { throw stays }
    }
    rmdir(path)
    return (outcome, left)
  }

  /// A file of ours that could not be removed.
  private static var stays: VaultError { .io("removing a file of the vault", code: EBUSY) }

  private static func isThere(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0
  }
}
