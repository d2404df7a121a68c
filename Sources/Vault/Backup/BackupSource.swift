import Platform

/// Where the bytes of a backup come from: an open file, read once from the beginning.
final class BackupSource {
  private let descriptor: Int32
  /// Bytes read so far, of how many there are.
  private(set) var position: UInt64 = 0
  let length: UInt64

  /// - Throws: `.io`.
  init(path: String) throws(BackupError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw .io("opening the backup", code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)  // a throwing `init` runs no `deinit`
      throw .io("opening the backup", code: EINVAL)
    }
    length = UInt64(max(0, status.st_size))
  }

  deinit { close(descriptor) }

  /// The next bytes; fewer at the end of the file.
  /// - Parameter count: bounded by the caller, never a stranger's number alone.
  func read(_ count: Int) throws(BackupError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = Platform.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard failure == 0 else { throw .io("reading the backup", code: failure) }
    position += UInt64(bytes.count)
    return bytes
  }
}
