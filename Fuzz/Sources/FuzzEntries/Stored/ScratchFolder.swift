import Platform

/// A folder in memory for one input, gone with it.
struct ScratchFolder: ~Copyable {
  let path: String

  /// Nil when no folder can be made.
  init?() {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var name = Array("\(parent)/holdfast-fuzz-XXXXXX\0".utf8CString)
    guard let made = mkdtemp(&name) else { return nil }
    path = String(cString: made)
  }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { unlink(path + "/" + name) }
      }
      closedir(folder)
    }
    rmdir(path)
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = bytes.withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }

  /// Nil when there is no such file. At most 1 MiB.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = Platform.read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes[..<count])
  }
}
