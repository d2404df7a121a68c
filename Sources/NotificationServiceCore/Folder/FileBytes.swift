import Platform

/// Whole files, read and replaced.
enum FileBytes {
  /// All bytes of a file. It follows no symbolic link.
  /// - Parameter most: the longest file that is read, in bytes.
  static func read(_ file: ExtensionFile, of folder: ExtensionFolder, most: Int) throws(ExtensionError) -> [UInt8] {
    let descriptor = open(folder.path(file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .notThere(file) : .io(file, code: errno) }
    defer { close(descriptor) }
    return try read(file, descriptor, most: most)
  }

  /// All bytes of an open file, from its beginning.
  static func read(_ file: ExtensionFile, _ descriptor: Int32, most: Int) throws(ExtensionError) -> [UInt8] {
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { throw .io(file, code: errno) }
    guard about.st_mode & S_IFMT == S_IFREG else { throw .unknownForm(file) }
    guard about.st_size <= most else { throw .tooLong(file, limit: most) }
    var bytes = [UInt8](repeating: 0, count: Int(about.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done)) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .io(file, code: errno) }
      guard count > 0 else { break }
      done += count
    }
    return done == bytes.count ? bytes : Array(bytes.prefix(done))
  }

  /// Replaces a file durably: a new one is written and synced, takes the name, and the folder is synced.
  static func replace(_ file: ExtensionFile, of folder: ExtensionFolder, with bytes: [UInt8]) throws(ExtensionError) {
    let new = folder.path(file) + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(file, code: errno) }
    let code = writeWhole(bytes, to: descriptor) && sync(descriptor) ? 0 : max(errno, 1)
    close(descriptor)
    guard code == 0, rename(new, folder.path(file)) == 0 else {
      let reason = code == 0 ? errno : code
      unlink(new)
      throw .io(file, code: reason)
    }
    try syncFolder(folder, after: file)
  }

  private static func syncFolder(_ folder: ExtensionFolder, after file: ExtensionFile) throws(ExtensionError) {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(file, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(file, code: errno) }
  }

  /// Waits until what was written is on the disk itself.
  static func sync(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      return fcntl(descriptor, F_FULLFSYNC) == 0  // fsync leaves it in the drive's cache there
    #else
      return fdatasync(descriptor) == 0
    #endif
  }
}
