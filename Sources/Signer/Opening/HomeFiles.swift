import Platform

/// Tells which files and folders in a home were made by Holdfast. The owner may keep files of their own there, with similar names.
package enum HomeFiles {
  /// Whether Holdfast makes entries of that name and type in a home. A symbolic link is never ours.
  static func isOurs(_ name: String, in home: String) -> Bool {
    let path = home + "/" + name
    var about = stat()
    guard lstat(path, &about) == 0 else { return false }
    switch about.st_mode & S_IFMT {
    case S_IFREG: return isFile(name)
    case S_IFSOCK: return name == "control.sock"
    case S_IFDIR: return isLog(name) || isRehearsalFolder(name, path)
    default: return false
    }
  }

  /// Whether an entry is a folder that was made for the rehearsal of a restore.
  package static func isRehearsal(_ name: String, in home: String) -> Bool {
    name.hasPrefix(rehearsal) && isOurs(name, in: home)
  }

  /// Whether a folder is called `rehearsal-` with six letters or digits, and holds only what a rehearsal makes.
  private static func isRehearsalFolder(_ name: String, _ path: String) -> Bool {
    let suffix = name.dropFirst(rehearsal.count).utf8
    return name.hasPrefix(rehearsal) && suffix.count == 6 && suffix.allSatisfy(isLetterOrDigit)
      && TemporaryHome.names(in: path).allSatisfy(rehearsed.contains)
  }

  private static let rehearsal = "rehearsal-"

  /// The log, or one that a repair put aside at some time.
  static func isLog(_ name: String) -> Bool {
    name == "log" || name.hasPrefix("log-") && isNumber(name.dropFirst("log-".count))
  }

  /// Whether Holdfast makes files of that name in a log's folder.
  static func isInLog(_ name: String) -> Bool { name.hasPrefix("audit.") }

  /// What a rehearsal makes in its folder, also one that was cut off.
  private static let rehearsed: Set<String> = ["home", "home.restoring", "backup.hfb", "backup.hfb.part"]

  private static func isFile(_ name: String) -> Bool {
    if single.contains(name) { return true }
    let base = databaseEndings.first { name.hasSuffix($0) }.map { name.dropLast($0.count) } ?? name[...]
    guard !databases.contains(String(base)) else { return true }
    return base.hasPrefix(damaged) && isNumber(base.dropFirst(damaged.count))
  }

  private static let single: Set<String> = [
    "device.key", "device.key.new", "lock", "suspended", StagingFolder.marker, "backup.spool", "backup.spool.part",
    "backup.spool.back", "backup.spool.back.part", "backup.download", "backup.download.part",
  ]
  private static let databases: Set<String> = ["vault.db", "vault.db.new", "vault.db.salvaged", "vault.db.salvaged.new"]
  private static let databaseEndings = ["-journal", "-wal", "-shm"]
  private static let damaged = "vault.db.damaged-"

  private static func isNumber(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
