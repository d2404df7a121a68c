import Platform

/// The files beside `vault.db` that SQLite would apply to it. They are checked before SQLite may do that, because somebody who
/// can write to the folder could use them to make it change or remove other files of the owner.
enum CompanionFiles {
  /// - Throws: `.corrupt` for a rollback journal or write-ahead log that this program cannot have left.
  static func check(_ vault: String) throws(VaultError) {
    _ = try ownSize(vault + "-wal")
    let journal = vault + "-journal"
    guard let size = try ownSize(journal) else { return }
    // Each page of the vault is in it once.
    guard try size / 2 <= HomeFolder.size(vault) + leastLimit / 2, try !namesOthers(journal, size) else { throw damage }
  }

  private static let damage = VaultError.corrupt(what: "a file beside vault.db")

  /// Bytes for the headers of a short journal.
  private static let leastLimit: UInt64 = 1 << 20

  /// - Returns: the length in bytes; nil when there is no such file.
  private static func ownSize(_ path: String) throws(VaultError) -> UInt64? {
    var about = stat()
    guard lstat(path, &about) == 0 else {
      guard errno == ENOENT else { throw .io("looking at a file beside the vault", code: errno) }
      return nil
    }
    guard about.st_mode & S_IFMT == S_IFREG, about.st_uid == geteuid(), about.st_nlink == 1 else { throw damage }
    return UInt64(max(0, about.st_size))
  }

  /// Whether a rollback journal names a super-journal, which SQLite removes, whatever file it is. That of a vault never does: it is no part
  /// of a transaction over several files. Such a journal ends with the magic of a journal (SQLite file format, section 3).
  private static func namesOthers(_ path: String, _ size: UInt64) throws(VaultError) -> Bool {
    guard size >= UInt64(magic.count) else { return false }
    return try HomeFolder.read(path, count: magic.count, from: size - UInt64(magic.count)) == magic
  }

  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
}
