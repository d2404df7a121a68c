import Platform

/// Whether a proxy could use a data folder, tried without changing what is in it.
package enum RegistrationsTrial {
  /// Bytes that are written to the disk and removed again.
  private static let written = 64 << 10

  /// Writes and removes a file in a folder.
  package static func write(in folder: String) throws(RegistrationsError) {
    let path = "\(folder)/push.check-\(getpid())"
    unlink(path)  // left by a crash
    let descriptor = Platform.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(.writing, code: errno) }
    defer {
      close(descriptor)
      unlink(path)
    }
    let bytes = [UInt8](repeating: 1, count: written)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .io(.writing, code: count < 0 ? errno : ENOSPC) }
      done += count
    }
    guard fsync(descriptor) == 0 else { throw .io(.syncing, code: errno) }
  }

  /// Looks at a folder's `push.sqlite` as a start does. All of it is read, unless a proxy uses it, or one was killed and left changes in the
  /// write-ahead log, without which the file may be between two states.
  package static func read(in folder: String) throws(RegistrationsError) {
    var file = RegistrationsFile(in: folder, schema: .current)
    var about = stat()
    guard stat(folder, &about) == 0 else { throw .io(.opening, code: errno) }
    file.owner = about.st_uid  // root may ask for the user of the proxy
    try file.inspect()
    guard Registrations.holder(of: folder) == nil, stat(file.path + "-wal", &about) != 0 || about.st_size == 0 else { return }
    let database = try RegistrationsDatabase(unchanged: file.path)
    try file.checkWhole(database)
    try file.schema.check(database, version: try file.version(database))
  }
}
