import Encodings
import Platform

// `push.sqlite`, an SQLite 3 database, for docs/FORMATS.md. application_id 0x48464450 ("HFDP"), user_version = format version.

/// The file of registrations: made whole or not at all, looked at before SQLite may touch it.
struct RegistrationsFile {
  static let name = "push.sqlite"
  static let applicationID: UInt32 = 0x4846_4450

  let path: String
  let schema: RegistrationsSchema
  /// The user to whom the file must belong.
  var owner = geteuid()

  /// The file of a folder that is there. The folder may be named by a link; SQLite is told to follow none.
  init(in folder: String, schema: RegistrationsSchema) {
    let resolved = realpath(folder, nil)
    defer { free(resolved) }
    path = (resolved.map { String(cString: $0) } ?? folder) + "/" + Self.name
    self.schema = schema
  }

  /// Whether a folder has such a file, whatever is in it.
  static func isThere(in folder: String) -> Bool { access(folder + "/" + name, F_OK) == 0 }

  /// Opens the file, or makes it. The caller has the folder's lock.
  /// - Returns: the connection that writes. `reader` opens others.
  func open() throws(RegistrationsError) -> RegistrationsDatabase {
    if access(path, F_OK) != 0, errno == ENOENT { try make() }
    try inspect()
    let writer = try RegistrationsDatabase(path: path)
    try writer.run("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;", .opening)
    try checkWhole(writer)
    // What the write-ahead log says counts: the file itself may be behind it.
    try schema.migrate(writer, from: try version(writer))
    try writer.run(Self.settings, .opening)
    writer.foldOnClose()
    return writer
  }

  /// A connection that reads what is on the disk, and waits for no other. After `open`.
  func reader() throws(RegistrationsError) -> RegistrationsDatabase {
    let reader = try RegistrationsDatabase(path: path)
    try reader.run("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;", .opening)
    // Whichever connection is closed last: after a clean stop, `push.sqlite` alone has everything.
    reader.foldOnClose()
    return reader
  }

  private static let settings: StaticString =
    "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 1048576;"

  func checkWhole(_ database: RegistrationsDatabase) throws(RegistrationsError) {
    guard try database.rows("PRAGMA integrity_check(1)", read: { $0.string(0) }) == ["ok"] else { throw .damaged }
  }

  func version(_ database: RegistrationsDatabase) throws(RegistrationsError) -> UInt32 {
    let found = UInt32(truncatingIfNeeded: try database.number("PRAGMA user_version"))
    guard found <= schema.newest else { throw .newerVersion(found: found) }
    guard found > 0 else { throw .notOurs }
    return found
  }

  /// Makes the file under a temporary name, in the mode of a write-ahead log from the start: under its own name it never has a
  /// rollback journal beside it.
  private func make() throws(RegistrationsError) {
    let temporary = path + ".new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }  // left by a crash
    let descriptor = Platform.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(.making, code: errno) }
    close(descriptor)
    do throws(RegistrationsError) {
      try fill(temporary)
      try Self.sync(temporary)
      guard rename(temporary, path) == 0 else { throw .io(.making, code: errno) }
      try Self.sync(path + "/..", isParent: true)
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
      throw error
    }
  }

  private func fill(_ temporary: String) throws(RegistrationsError) {
    let database = try RegistrationsDatabase(path: temporary)
    try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;", .making)
    try schema.migrate(database, from: 0)
    database.foldOnClose()
  }

  private static func sync(_ path: String, isParent: Bool = false) throws(RegistrationsError) {
    var name = path
    if isParent {
      name = String(path.dropLast(3))
      while let last = name.last, last != "/" { name.removeLast() }
    }
    let descriptor = Platform.open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(.syncing, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(.syncing, code: errno) }
  }

  /// Reads the file's first 100 bytes (SQLite file format, section 1.3) without SQLite.
  func inspect() throws(RegistrationsError) {
    // SQLite would apply it to the file, and remove files that it names. Ours never has one.
    guard access(path + "-journal", F_OK) != 0 else { throw .notOurs }
    var reader = ByteReader(try start()[...])
    guard reader.take(16).map(Array.init) == Array("SQLite format 3\0".utf8), reader.take(44) != nil,
      let version: UInt32 = reader.integer(), reader.take(4) != nil, let application: UInt32 = reader.integer(),
      application == Self.applicationID
    else { throw .notOurs }
    guard version <= schema.newest else { throw .newerVersion(found: version) }
  }

  private func start() throws(RegistrationsError) -> [UInt8] {
    let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ELOOP ? .notOurs : .io(.opening, code: errno) }
    defer { close(descriptor) }
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_uid == owner, about.st_nlink == 1 else {
      throw .notOurs
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    let filled = pread(descriptor, &bytes, bytes.count, 0)
    guard filled >= 0 else { throw .io(.reading, code: errno) }
    return Array(bytes.prefix(filled))
  }
}
