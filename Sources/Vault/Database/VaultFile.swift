import Encodings
import Platform

// `vault.db`, an SQLite 3 database, for docs/FORMATS.md. application_id 0x48464456 ("HFDV"), user_version = format version 3 (1 and 2 are read and rewritten).

/// The vault's one file: made whole or not at all, looked at before SQLite may touch it.
enum VaultFile {
  static let version: UInt32 = 3
  static let oldestVersion: UInt32 = 1
  static let applicationID: UInt32 = 0x4846_4456

  private static let marks: StaticString = """
    PRAGMA application_id = 0x48464456;
    PRAGMA user_version = 3;
    INSERT INTO attempts VALUES (1, 0, 0);
    """

  /// Makes the file under a temporary name, lets `fill` write what belongs into a new vault, syncs it and gives it its name.
  static func create(at path: String, in folder: HomeFolder, _ fill: (Database) throws(VaultError) -> Void) throws(VaultError) {
    let temporary = path + ".new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }  // left by a crash
    try HomeFolder.makeFile(temporary)
    do throws(VaultError) {
      try build(temporary, fill)
      try HomeFolder.sync(temporary)
      guard rename(temporary, path) == 0 else { throw VaultError.io("renaming the new vault", code: errno) }
      try HomeFolder.sync(folder.path)
    } catch {
      for suffix in ["", "-journal"] { unlink(temporary + suffix) }
      throw error
    }
  }

  private static func build(_ path: String, _ fill: (Database) throws(VaultError) -> Void) throws(VaultError) {
    let database = try Database(path: path)
    try database.run("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;")
    try database.transaction { () throws(VaultError) in
      for table in VaultSchema.tables { try database.run(table) }
      try database.run(marks)
      try fill(database)
    }
  }

  /// Opens an existing file. A file that is refused is not changed.
  static func open(at path: String, under lock: HomeLock) throws(VaultError) -> Database {
    let database = try inspected(path, under: lock, "PRAGMA cache_size = -512;")
    // Not the quick one, which does not look at the order of the rows: one out of its place would be found by no look-up, and still
    // be there when all are counted.
    let check = try database.prepare("PRAGMA integrity_check(1)")
    guard try check.step(), check.string(0) == "ok" else { throw .corrupt(what: "the vault file") }
    check.reset()
    try configure(database)
    return database
  }

  /// Opens a file of which single pages may be damaged. Each row that is read from it must prove itself.
  static func openDamaged(at path: String, under lock: HomeLock) throws(VaultError) -> Database {
    let database = try inspected(path, under: lock, "PRAGMA cell_size_check = ON;")
    try configure(database)
    return database
  }

  /// Opens a file to read single rows of it. Changes nothing, and does not look at the rest.
  static func openToLook(at path: String, under lock: HomeLock) throws(VaultError) -> Database {
    let hasLog = (try? HomeFolder.size(path + "-wal")).map { $0 > 0 } ?? false
    let database = try inspected(path, under: lock, "PRAGMA query_only = ON;")
    // SQLite makes an empty one, and takes it away only where it may fold it in.
    if !hasLog { database.foldOnClose() }
    return database
  }

  private static func inspected(
    _ path: String, under lock: HomeLock, _ settings: StaticString
  ) throws(VaultError) -> Database {
    try inspect(path)
    let database = try Database(path: path, under: lock)
    // Exclusive: one process owns the vault, so no shared-memory file is needed.
    try database.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;")
    try VaultSchema.check(database)
    try database.run(settings)
    try check(version: try version(of: database))
    return database
  }

  private static func configure(_ database: Database) throws(VaultError) {
    try database.run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576;"
    )
    database.foldOnClose()
  }

  /// The format version, which changes together with the header.
  static func version(of database: Database) throws(VaultError) -> UInt32 {
    let version = try database.prepare("PRAGMA user_version")
    guard try version.step() else { throw .corrupt(what: "the vault file") }
    defer { version.reset() }
    return UInt32(truncatingIfNeeded: version.integer(0))
  }

  /// Reads the file's first 100 bytes (SQLite file format, section 1.3) without SQLite.
  private static func inspect(_ path: String) throws(VaultError) {
    try CompanionFiles.check(path)
    let start = try HomeFolder.read(path, count: 100)
    var reader = ByteReader(start[...])
    guard reader.take(16).map(Array.init) == Array("SQLite format 3\0".utf8), let pageSize: UInt16 = reader.integer(),
      reader.take(10) != nil, let pages: UInt32 = reader.integer(), reader.take(28) != nil,
      let version: UInt32 = reader.integer(), reader.take(4) != nil, let application: UInt32 = reader.integer(),
      application == applicationID
    else { throw .corrupt(what: "the vault file") }
    try check(version: version)
    // SQLite would read a page that is cut as zeros. With a write-ahead log the file may be behind, and is made whole from it.
    if let log = try? HomeFolder.size(path + "-wal"), log > 0 { return }
    let whole = UInt64(pages) * UInt64(pageSize == 1 ? 65536 : UInt32(pageSize))
    guard try HomeFolder.size(path) == whole else { throw .corrupt(what: "the vault file") }
  }

  private static func check(version found: UInt32) throws(VaultError) {
    guard found <= version else { throw .newerVersion(found: found) }
    guard found >= oldestVersion else { throw .corrupt(what: "the vault file") }
  }
}
