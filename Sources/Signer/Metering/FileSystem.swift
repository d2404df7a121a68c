import Platform

/// What the file system reports about the vault's folder.
package enum FileSystem {
  /// The most files that are summed.
  private static let mostFiles = 10_000

  /// The size of the regular files directly in a folder, in bytes. 0 when it cannot be read.
  package static func bytes(in folder: String) -> Int64 {
    guard let handle = opendir(folder) else { return 0 }
    defer { closedir(handle) }
    var (sum, files): (Int64, Int) = (0, 0)
    while files < mostFiles, let entry = readdir(handle) {
      files += 1
      var status = stat()
      let isThere = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { fstatat(dirfd(handle), $0, &status, AT_SYMLINK_NOFOLLOW) == 0 }
      }
      if isThere, status.st_mode & S_IFMT == S_IFREG { sum = sum.addingReportingOverflow(Int64(status.st_size)).partialValue }
    }
    return sum
  }

  /// The bytes that this user may still write there. Nil when the system does not report it.
  package static func freeBytes(at path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// The contents of a small file. Nil when it is longer, or cannot be read.
  package static func read(_ path: String, limit: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Platform.read(file, $0.baseAddress.map { $0 + filled }, $0.count - filled) }
      guard count >= 0 else { return nil }
      guard count > 0 else { return Array(bytes.prefix(filled)) }
      filled += count
    }
    return nil
  }

  /// Removes a file, if it exists.
  package static func remove(_ path: String) { unlink(path) }
}
