import CLinux
import Platform

/// One open file: positioned reads and writes, sync, cut. Closed with its last owner.
final class LogFile: Sendable {
  private let descriptor: Int32

  /// - Parameter flags: of open(2); close-on-exec and no-follow are added, and nobody waits at a pipe. A new file gets mode 0600.
  /// - Throws: `.io`, also if it is not a plain file.
  init(_ path: String, flags: Int32) throws(AuditLogError) {
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .io(.open, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .io(.open, code: EINVAL) }
  }

  /// Makes a new file in place of one of that name, whose bytes stay as they are: they may be another file's, by a hard link.
  convenience init(new path: String) throws(AuditLogError) {
    unlink(path)
    try self.init(path, flags: O_RDWR | O_CREAT | O_EXCL)
  }

  deinit { close(descriptor) }

  /// Takes the one exclusive lock on the file, within a moment.
  func lock() throws(AuditLogError) {
    guard holdfast_lock_file(descriptor) != 0 else { return }
    throw errno == EWOULDBLOCK ? .inUse : .io(.lock, code: errno)
  }

  func unlock() { flock(descriptor, LOCK_UN) }

  /// Whether the file is still the one of that name.
  func isNamed(_ path: String) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Whether the file has only one name. Writing to it would otherwise change another file of the owner.
  func hasOneName() throws(AuditLogError) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .io(.read, code: errno) }
    return status.st_nlink == 1
  }

  /// Length in bytes.
  func size() throws(AuditLogError) -> UInt64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .io(.read, code: errno) }
    return UInt64(max(0, status.st_size))
  }

  /// - Returns: up to `count` bytes from `offset`; fewer only where the file ends.
  func read(_ count: Int, at offset: UInt64) throws(AuditLogError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let step = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))  // count > 0
        if step < 0, errno == EINTR { continue }
        if step < 0 { failure = errno }
        guard step > 0 else { return }
        filled += step
      }
    }
    guard failure == 0 else { throw .io(.read, code: failure) }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(AuditLogError) {
    var (written, failure) = (0, Int32(0))
    bytes.withUnsafeBytes { buffer in
      while written < buffer.count, failure == 0 {  // so there is a byte, and an address
        let step = pwrite(descriptor, buffer.baseAddress! + written, buffer.count - written, off_t(offset) + off_t(written))
        if step < 0, errno == EINTR { continue }
        if step <= 0 { failure = step < 0 ? errno : EIO } else { written += step }
      }
    }
    guard failure == 0 else { throw .io(.write, code: failure) }
  }

  /// Returns when the data, and the length that goes with it, are on the disk.
  func sync() throws(AuditLogError) {
    guard fdatasync(descriptor) == 0 else { throw .io(.sync, code: errno) }
  }

  /// Has the disk begin with what was written from `offset` on, if the system can. `sync` is still needed.
  /// - Returns: what failed; a file system may report that here alone. Nil where there is no such call.
  func startWriting(from offset: UInt64) -> AuditLogError? {
    guard holdfast_start_writing(descriptor, off_t(offset)) != 0 else { return nil }
    let code = errno
    return [ENOSYS, EINVAL, ESPIPE, EPERM].contains(code) ? nil : .io(.sync, code: code)
  }

  /// Reserves space on the disk from `offset` on; the length stays. Does nothing if the file system cannot reserve space.
  func allocate(_ count: UInt64, at offset: UInt64) throws(AuditLogError) {
    var status: Int32
    repeat { status = holdfast_allocate(descriptor, off_t(offset), off_t(count)) } while status != 0 && errno == EINTR
    guard status == 0 || errno == EOPNOTSUPP || errno == ENOSYS else { throw .io(.write, code: errno) }
  }

  func truncate(to length: UInt64) throws(AuditLogError) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw .io(.truncate, code: errno) }
  }
}
