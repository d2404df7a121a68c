import Encodings
import Platform
import SecretMemory

/// The folder that holds `audit.log` and `audit.head`, and the ways its files are made.
struct LogFolder: Sendable {
  let path: String
  var log: String { path + "/audit.log" }
  var head: String { path + "/audit.head" }
  /// Files are written under these names and then renamed over the others. A crash may leave such files; they are useless.
  var newLog: String { log + ".new" }
  private var newHead: String { head + ".new" }

  /// Makes the folder, mode 0700, unless it is there. Its parent must exist.
  func make() throws(AuditLogError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .io(.folder, code: errno) }
  }

  /// - Returns: the head file's bytes, nil when there is none. Reads no more than a byte over the longest head.
  func headBytes() throws(AuditLogError) -> [UInt8]? {
    do { return try LogFile(head, flags: O_RDONLY).read(LogHead.maximumLength + 1, at: 0) } catch {
      if error == .io(.open, code: ENOENT) { return nil }
      throw error
    }
  }

  /// Writes the head anew: temporary name, sync, rename, sync of the folder. A crash leaves the old one or the new one.
  func writeHead(_ bytes: [UInt8]) throws(AuditLogError) {
    do { try writeHead(bytes, by: newHead) } catch {
      // Something that cannot be replaced, such as a folder, has that name: use another one.
      guard error == .io(.open, code: EEXIST) else { throw error }
      try writeHead(bytes, by: newHead + "-" + Hex.encode(SystemRandom.bytes(4)))
    }
  }

  private func writeHead(_ bytes: [UInt8], by temporary: String) throws(AuditLogError) {
    let file = try LogFile(new: temporary)
    do throws(AuditLogError) {
      try file.write(bytes, at: 0)
      try file.sync()
      try put(temporary, inPlaceOf: head)
    } catch {
      unlink(temporary)  // it is tried again and again, and each time under another name
      throw error
    }
  }

  /// Removes what a crash, or a failure, left of a log that was written anew.
  func removeNewLog() { unlink(newLog) }

  /// - Throws: `.noRoom` unless the disk has room for so many bytes and `AuditLog.freeForOthers`. Where the system does not say, it has.
  func checkRoom(for count: UInt64) throws(AuditLogError) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return }
    let (free, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    let needed = count + AuditLog.freeForOthers
    guard isMore || free >= needed else { throw .noRoom(needed: needed, free: free) }
  }

  /// Renames a file over another, durably.
  func put(_ new: String, inPlaceOf old: String) throws(AuditLogError) {
    guard rename(new, old) == 0 else { throw .io(.rename, code: errno) }
    try sync()
  }

  /// Makes names in the folder durable.
  func sync() throws(AuditLogError) { try Self.sync(path) }

  /// Makes the folder's own name durable: without it a power cut takes the log whole, and the vault knows of one.
  func syncParent() throws(AuditLogError) { try Self.sync(path + "/..") }

  private static func sync(_ path: String) throws(AuditLogError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(.folder, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(.folder, code: errno) }
  }
}
