import CLinux
import Platform

/// The file `push.lock` with our process id in it, and the kernel's lock on it, which a crash lets go of.
final class RegistrationsLock: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: is made with mode 0700 when it is not there; its parent must be.
  /// - Throws: `.inUse`, `.io`.
  init(folder: String) throws(RegistrationsError) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .io(.making, code: errno) }
    let descriptor = open(folder + "/push.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(.locking, code: errno) }
    guard holdfast_lock_file(descriptor) == 0 else {
      defer { close(descriptor) }
      throw errno == EWOULDBLOCK ? .inUse(pid: Self.pid(in: descriptor)) : .io(.locking, code: errno)
    }
    let text = Array("\(getpid())\n".utf8)
    var about = stat()
    // The text is for people; only the lock matters. A file with a second name may be another one of the operator's.
    if fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_nlink == 1, ftruncate(descriptor, 0) == 0 {
      _ = pwrite(descriptor, text, text.count, 0)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static func pid(in descriptor: Int32) -> Int32 {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    return Int32(String(decoding: text.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)) ?? 0
  }
}
