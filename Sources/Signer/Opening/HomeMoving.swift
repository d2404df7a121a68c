import Platform
import Vault

/// Moves a home to another folder while no process has its vault open. A kill or a power cut leaves the old home, or both the old and
/// the whole new one.
package enum HomeMoving {
  /// Why a home cannot be moved to a folder.
  package enum Fault: Error, Equatable {
    case notAbsolute
    /// The control socket's path would be too long.
    case tooLong(limit: Int)
    /// The folder is the home itself, or lies in it.
    case insideHome
    case hasVault
    /// The folder is not empty, or the path names no folder.
    case notEmpty
    /// The folder that takes the files on the way is there and was not left by a move, or another move uses it.
    case wayTaken(String)
    /// A process has the vault open.
    case inUse
    /// Free and needed bytes.
    case noRoom(free: UInt64, needed: UInt64)
    /// The system's code.
    case failed(code: Int32)
  }

  /// The longest path of a home, in bytes: the path of its socket must fit into a socket's address.
  package static let longestPath = UnixSocketAddress.longestPath - "/control.sock".utf8.count
  /// Files that belong to a running signer.
  private static let leftBehind: Set<String> = ["lock", "control.sock", "app.sock"]
  /// Room for what the vault and its log write at the next start, in bytes.
  private static let spare: UInt64 = 1 << 20

  /// Checks that a folder can take the home: it is free, can be made, and its disk has the room.
  /// - Parameter home: in use or not.
  package static func check(_ home: Home, to folder: String) throws(Fault) { try stagingFolder(home, to: folder).remove() }

  /// The folder that takes the files on the way, after all checks.
  private static func stagingFolder(_ home: Home, to folder: String) throws(Fault) -> StagingFolder {
    guard folder.hasPrefix("/") else { throw .notAbsolute }
    guard folder.utf8.count <= longestPath else { throw .tooLong(limit: longestPath) }
    guard folder != home.path, !folder.hasPrefix(home.path + "/") else { throw .insideHome }
    try checkFree(folder)
    try makeParents(of: folder)
    let staging = try StagingFolder(way(to: folder))
    let (free, needed) = (freeBytes(at: staging.path), size(of: home.path) + spare)
    guard free >= needed else {
      staging.remove()
      throw .noRoom(free: free, needed: needed)
    }
    return staging
  }

  /// Moves the files. They are copied and synced beside the new folder, which then gets its name in one step. The old home stays: the
  /// caller wipes it.
  /// - Parameter home: closed; nobody opens it meanwhile.
  package static func move(_ home: Home, to folder: String) throws(Fault) {
    let staging = try stagingFolder(home, to: folder)
    do throws(Fault) {
      try copyClosed(home, to: staging.path)
      // An empty folder gives way; one with files does not.
      try staging.rename(to: folder)
    } catch {
      staging.remove()
      throw error
    }
    try sync(folder)
    try sync(folder + "/..")
  }

  private static func copyClosed(_ home: Home, to path: String) throws(Fault) {
    var fault: Fault?
    do throws(VaultError) {
      try Vault.whileClosed(home: home.path) { () throws(VaultError) in
        do throws(Fault) { try copyFolder(home.path, to: path) } catch { fault = error }
      }
    } catch { throw .inUse }
    if let fault { throw fault }
  }

  /// The folder that takes the files on the way. It is on the same disk as the new one.
  private static func way(to folder: String) -> String { folder + ".incoming" }

  private static func checkFree(_ folder: String) throws(Fault) {
    var about = stat()
    guard lstat(folder, &about) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .failed(code: errno) }
      return
    }
    guard about.st_mode & S_IFMT == S_IFDIR else { throw .notEmpty }
    let names = FolderNames.all(in: folder)
    guard !names.contains("vault.db") else { throw .hasVault }
    guard names.isEmpty else { throw .notEmpty }
  }

  private static func makeParents(of folder: String) throws(Fault) {
    var parent = ""
    for part in folder.split(separator: "/").dropLast() {
      parent += "/" + part
      guard mkdir(parent, 0o755) != 0 else {
        try sync(parent + "/..")
        continue
      }
      guard errno == EEXIST || errno == EROFS else { throw .failed(code: errno) }
    }
  }

  // MARK: copying

  private static func copyFolder(_ source: String, to target: String) throws(Fault) {
    for name in FolderNames.all(in: source) where !leftBehind.contains(name) {
      let (from, to) = (source + "/" + name, target + "/" + name)
      var about = stat()
      guard lstat(from, &about) == 0 else { throw .failed(code: errno) }
      switch about.st_mode & S_IFMT {
      case S_IFDIR:
        guard mkdir(to, 0o700) == 0 else { throw .failed(code: errno) }
        try copyFolder(from, to: to)
      case S_IFREG: try copyFile(from, to: to, mode: about.st_mode & 0o700)
      default: throw .failed(code: EINVAL)  // Holdfast makes neither links nor devices
      }
    }
    try sync(target)
  }

  private static func copyFile(_ source: String, to target: String, mode: mode_t) throws(Fault) {
    let from = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard from >= 0 else { throw .failed(code: errno) }
    defer { close(from) }
    let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard to >= 0 else { throw .failed(code: errno) }
    defer { close(to) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(from, &buffer, buffer.count)
      guard count >= 0 else { throw .failed(code: errno) }
      guard count > 0 else { break }
      var done = 0
      while done < count {
        let written = buffer.withUnsafeBytes { write(to, $0.baseAddress.map { $0 + done }, count - done) }
        guard written > 0 else { throw .failed(code: written < 0 ? errno : ENOSPC) }
        done += written
      }
    }
    guard fsync(to) == 0 else { throw .failed(code: errno) }
  }

  private static func sync(_ path: String) throws(Fault) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(code: errno) }
  }

  // MARK: sizes

  private static func size(of path: String) -> UInt64 {
    var about = stat()
    guard lstat(path, &about) == 0 else { return 0 }
    guard about.st_mode & S_IFMT == S_IFDIR else { return UInt64(max(0, about.st_size)) }
    return FolderNames.all(in: path).reduce(0) { $0 + size(of: path + "/" + $1) }
  }

  private static func freeBytes(at path: String) -> UInt64 {
    var about = statvfs()
    guard statvfs(path, &about) == 0 else { return 0 }
    return UInt64(about.f_bavail) * UInt64(about.f_frsize)
  }
}
