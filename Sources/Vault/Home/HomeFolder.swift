import Platform

/// The folder of one vault and what else Holdfast keeps: only its owner may look into it.
struct HomeFolder: Sendable {
  let path: String
  var vault: String { path + "/vault.db" }
  var lock: String { path + "/lock" }
  var deviceKey: String { path + "/device.key" }
  var nextDeviceKey: String { path + "/device.key.new" }
  /// The names that a device secret may get when a new vault must not take it.
  static let keptDeviceKeys = (1...99).map { "device.key.kept-\($0)" }

  /// Makes the folder (and missing parents) with mode 0700; a folder of ours that is there gets mode 0700.
  func make() throws(VaultError) {
    try Self.makeParents(of: path)
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .io("making the folder", code: errno) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .io("looking at the folder", code: errno) }
    if status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { chmod(path, 0o700) }
    try check()
    // Its name, so that a power cut does not take the folder with the vault. A parent that may not be read cannot be synced.
    try? Self.sync(path + "/..")
  }

  /// - Throws: `.noVault` when there is no folder, `.folderNotPrivate` when it is another user's or open to others.
  func check() throws(VaultError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw errno == ENOENT ? .noVault : .io("looking at the folder", code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .io("looking at the folder", code: ENOTDIR) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .folderNotPrivate(mode: UInt32(status.st_mode & 0o7777))
    }
  }

  private static func makeParents(of path: String) throws(VaultError) {
    let parts = path.utf8.split(separator: 0x2f).dropLast()
    var parent = path.utf8.first == 0x2f ? "" : "."
    for part in parts {
      parent += "/" + String(decoding: part, as: UTF8.self)
      if mkdir(parent, 0o755) == 0 {
        try? sync(parent + "/..")
      } else if errno != EEXIST {
        throw .io("making the folder", code: errno)
      }
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes an empty file of mode 0600.
  static func makeFile(_ path: String) throws(VaultError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .io("making the vault file", code: errno) }
    close(descriptor)
  }

  /// Makes a short file of mode 0600 and makes its contents durable.
  static func makeFile(_ path: String, holding bytes: [UInt8]) throws(VaultError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .io("making a file", code: errno) }
    defer { close(descriptor) }
    let written = write(descriptor, bytes, bytes.count)
    guard written == bytes.count else { throw .io("writing a file", code: written < 0 ? errno : ENOSPC) }
    guard fsync(descriptor) == 0 else { throw .io("syncing", code: errno) }
  }

  /// Makes a file's or folder's contents durable.
  static func sync(_ path: String) throws(VaultError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io("syncing", code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io("syncing", code: errno) }
  }

  /// Whether an open file is a plain one and has that many names in all: with one more, what is written into it would change another
  /// file of the owner's.
  static func isPlain(_ descriptor: Int32, names: UInt) -> Bool {
    var about = stat()
    return fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFREG && UInt(about.st_nlink) == names
  }

  /// Length of a file in bytes.
  static func size(_ path: String) throws(VaultError) -> UInt64 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .io("looking at the vault file", code: errno) }
    return UInt64(max(0, status.st_size))
  }

  /// Up to `count` bytes of a file, from its start or from an offset in bytes.
  static func read(_ path: String, count: Int, from offset: UInt64 = 0) throws(VaultError) -> [UInt8] {
    // Nobody waits for who would write into a pipe of that name.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .noVault : .io("opening the vault file", code: errno) }
    defer { close(descriptor) }
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
      throw .io("opening the vault file", code: EINVAL)
    }
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = pread(descriptor, &bytes, count, off_t(clamping: offset))
    guard filled >= 0 else { throw .io("reading the vault file", code: errno) }
    return Array(bytes.prefix(filled))
  }
}
