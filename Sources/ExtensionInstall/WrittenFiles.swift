import Ciphers
import Encodings
import JSON
import Platform

/// Writes files of the owner's, and remembers what they hold: a file that somebody else wrote or changed is never replaced or removed.
struct WrittenFiles {
  /// The most bytes of a file that is compared, and of the list.
  private static let longest = 8 << 20
  private let list: String
  /// SHA-256 in hex digits by path.
  ///
  /// The list has what is in its own folder without that folder, so that it stays true when the vault moves.
  private var digests: [String: String] = [:]

  /// - Parameter list: the path of the file that remembers.
  init(list: String) {
    self.list = list
    guard let bytes = Self.read(list), let files = (try? JSONValue(parsing: bytes))?["files"]?.members else { return }
    for file in files { digests[file.key.hasPrefix("/") ? file.key : folder + file.key] = file.value.string }
  }

  private var folder: String { FilePath.folder(of: list) + "/" }

  var paths: [String] { digests.keys.sorted() }

  /// - Throws: when the file is there and somebody else wrote it, or its folder is another user's.
  func check(_ path: String, _ bytes: [UInt8]) throws(InstallFault) {
    try PrivateFolder.check(FilePath.folder(of: path))
    var about = stat()
    guard lstat(path, &about) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .system(path: path, code: errno) }
      return
    }
    guard about.st_mode & S_IFMT == S_IFREG, about.st_uid == geteuid(), let present = Self.read(path),
      present == bytes || isOurs(path, present) || Browser.isManifest(present)
    else { throw .notOurs(path: path) }
  }

  /// Writes a file as a whole: a browser never reads half of it.
  mutating func write(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(InstallFault) {
    try check(path, bytes)
    try PrivateFolder.make(FilePath.folder(of: path))
    try Self.replace(path, bytes, mode)
    digests[path] = Self.digest(bytes)
    try save()
  }

  /// Removes a file, unless somebody changed it.
  /// - Returns: whether it is gone.
  mutating func remove(_ path: String) throws(InstallFault) -> Bool {
    if let present = Self.read(path) {
      guard isOurs(path, present) else { return false }
      guard unlink(path) == 0 else { throw .system(path: path, code: errno) }
      rmdir(FilePath.folder(of: path))
    }
    digests[path] = nil
    try save()
    return true
  }

  /// The program that a manifest of Holdfast's names; nil for any other file.
  static func program(namedBy path: String) -> String? {
    guard let bytes = read(path), Browser.isManifest(bytes) else { return nil }
    return (try? JSONValue(parsing: bytes))?["path"]?.string
  }

  private func save() throws(InstallFault) {
    guard !digests.isEmpty else {
      unlink(list)
      rmdir(FilePath.folder(of: list))
      return
    }
    let files = digests.sorted { $0.key < $1.key }.map { path, digest in
      JSONValue.Member(path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path, .string(digest))
    }
    try Self.replace(list, JSONValue.object([.init("files", .object(files))]).serialized() + [0x0A], 0o600)
  }

  private func isOurs(_ path: String, _ bytes: [UInt8]) -> Bool { digests[path] == Self.digest(bytes) }

  private static func digest(_ bytes: [UInt8]) -> String { SHA256.digest(of: bytes).hex }

  private static func replace(_ path: String, _ bytes: [UInt8], _ mode: mode_t) throws(InstallFault) {
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw .system(path: path, code: errno) }
    let code = writeWhole(bytes, to: file) && fsync(file) == 0 ? 0 : max(errno, 1)
    close(file)
    guard code == 0, rename(new, path) == 0 else {
      unlink(new)
      throw .system(path: path, code: code == 0 ? errno : code)
    }
  }

  /// - Returns: nil for anything but a plain file of the owner's.
  private static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var about = stat()
    guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size <= longest else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(about.st_size))
    return Platform.read(file, &bytes, bytes.count) == bytes.count ? bytes : nil
  }
}
