import CLinux

/// A file with our process id in it, and the kernel's lock on it, which a crash lets go of.
package final class ProcessLock: Sendable {
  /// Why the lock was not taken.
  package enum Fault: Error, Equatable {
    /// Another process has it; its id, or 0 when it is not known.
    case inUse(pid: Int32)
    /// The file could not be opened. `code` is errno.
    case notOpened(code: Int32)
    /// The file could not be locked. `code` is errno.
    case notLocked(code: Int32)
  }

  private let descriptor: Int32

  /// Makes the file with mode 0600 when it is not there, and tries for three tenths of a second to lock it.
  package init(_ path: String) throws(Fault) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .notOpened(code: errno) }
    guard holdfast_lock_file(descriptor) == 0 else {
      let code = errno
      defer { close(descriptor) }
      throw code == EWOULDBLOCK ? .inUse(pid: Self.pid(in: descriptor)) : .notLocked(code: code)
    }
    let text = Array("\(getpid())\n".utf8)
    // The file's text is for people; only the lock matters. So a disk too full for the text is no reason to stop.
    if Self.isPlain(descriptor), ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Who has the lock. Makes no file, and changes none.
  /// - Returns: a process id, or 0 when it is not known; nil when nobody has the lock, or the file cannot be opened.
  package static func holder(of path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return holdfast_is_locked(descriptor) == 1 ? pid(in: descriptor) : nil
  }

  /// Whether it is a file with one name. One with a second name may be something else of the owner's.
  private static func isPlain(_ descriptor: Int32) -> Bool {
    var about = stat()
    return fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFREG && about.st_nlink == 1
  }

  private static func pid(in descriptor: Int32) -> Int32 {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    return Int32(String(decoding: text.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)) ?? 0
  }
}
