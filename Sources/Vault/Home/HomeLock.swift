import CLinux
import Platform

/// The file `lock` with our process id in it, and the kernel's lock on it, which a crash lets go of.
final class HomeLock: Sendable {
  /// The folder that is locked.
  let folder: HomeFolder
  private let descriptor: Int32

  /// - Throws: `.inUse` with the id of the process that holds it.
  init(_ folder: HomeFolder) throws(VaultError) {
    let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io("opening the lock file", code: errno) }
    guard holdfast_lock_file(descriptor) == 0 else {
      defer { close(descriptor) }
      throw errno == EWOULDBLOCK ? .inUse(pid: Self.pid(in: descriptor)) : .io("locking the vault", code: errno)
    }
    let text = Array("\(getpid())\n".utf8)
    // The file's text is for people; only the lock matters. So a disk too full for the text is no reason to stop.
    if HomeFolder.isPlain(descriptor, names: 1), ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    (self.folder, self.descriptor) = (folder, descriptor)
  }

  deinit { close(descriptor) }

  private static func pid(in descriptor: Int32) -> Int32 {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    let digits = text.prefix(max(0, count)).prefix { $0 != 0x0a }
    return Int32(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
