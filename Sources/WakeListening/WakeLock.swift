import CLinux
import Platform

/// The file `wake.lock` with our process id in it, and the kernel's lock on it, which a crash lets go of.
final class WakeLock: Sendable {
  private let descriptor: Int32

  init(_ folder: String) throws(WakeListeningError) {
    let descriptor = open(folder + "/" + WakeFiles.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io(code: errno) }
    guard holdfast_lock_file(descriptor) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let code = errno
      defer { close(descriptor) }
      throw isTaken ? .inUse(pid: Self.pid(in: descriptor)) : .io(code: code)
    }
    // The text is for people; only the lock matters.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static func pid(in descriptor: Int32) -> Int32 {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    return Int32(String(decoding: text.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)) ?? 0
  }
}
