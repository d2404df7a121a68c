import Encodings
import Platform

/// Tells which files and folders in a home were made by Holdfast. The owner may keep files of their own there, with similar names.
enum HomeFiles {
  /// Whether Holdfast makes entries of that name and type in a home. A symbolic link is never ours.
  static func isOurs(_ name: String, in home: String) -> Bool {
    let path = home + "/" + name
    var about = stat()
    guard lstat(path, &about) == 0 else { return false }
    switch about.st_mode & S_IFMT {
    case S_IFREG: return isFile(name)
    case S_IFSOCK: return ["control.sock", "app.sock"].contains(name)
    case S_IFDIR: return isLog(name) || RehearsalFolder.isOne(name, in: home)
    default: return false
    }
  }

  /// The log, or one that a repair put aside at some time.
  static func isLog(_ name: String) -> Bool {
    name == "log" || name.hasPrefix("log-") && isNumber(name.dropFirst("log-".count))
  }

  /// Whether an entry of a log's folder is a file that the log makes.
  static func isInLog(_ name: String, _ folder: String) -> Bool {
    var about = stat()
    guard lstat(folder + "/" + name, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return false }
    return inLog.contains(name) || name.hasPrefix(newHead) && isHex(name.dropFirst(newHead.count), digits: 8)
  }

  private static let inLog: Set<String> = [
    "audit.log", "audit.log.new", "audit.head", "audit.head.new", "audit.seen", "audit.seen.old",
  ]
  /// Followed by eight hex digits.
  private static let newHead = "audit.head.new-"

  private static func isFile(_ name: String) -> Bool {
    if single.contains(name) || SpoolName.isOne(name) || isPush(name) { return true }
    let base = databaseEndings.first { name.hasSuffix($0) }.map { name.dropLast($0.count) } ?? name[...]
    guard !databases.contains(String(base)) else { return true }
    return base.hasPrefix(damaged) && isNumber(base.dropFirst(damaged.count))
  }

  /// A push that waits for its wake, also one that was not written to its end.
  private static func isPush(_ name: String) -> Bool {
    let whole = name.hasSuffix(".new") ? name.dropLast(".new".count) : name[...]
    guard whole.hasPrefix("wake-"), whole.hasSuffix(".push") else { return false }
    return isHex(whole.dropFirst("wake-".count).dropLast(".push".count), digits: 64)
  }

  private static let single: Set<String> = [
    "device.key", "device.key.new", "lock", "port", "port.new", "suspended", StagingFolder.marker, "backup.spool",
    "backup.spool.part",
    "wake.key", "wake.key.new", "wake.lock", "backup.spool.back", "backup.spool.back.part", "backup.download",
    "backup.download.part",
  ]
  private static let databases: Set<String> = ["vault.db", "vault.db.new", "vault.db.salvaged", "vault.db.salvaged.new"]
  private static let databaseEndings = ["-journal", "-wal", "-shm"]
  private static let damaged = "vault.db.damaged-"

  private static func isNumber(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  private static func isHex(_ text: Substring, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy(Hex.isDigit)
  }
}
