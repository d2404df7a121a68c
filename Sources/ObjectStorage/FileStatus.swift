import Ciphers
import Encodings
import Platform

/// What must be known of a file before it is sent.
enum FileStatus {
  static func length(of path: String) throws(ObjectStorageError) -> UInt64 {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .io("looking at the file", code: errno) }
    return UInt64(max(0, status.st_size))
  }

  /// SHA-256, 64 hex digits.
  static func digest(of path: String) throws(ObjectStorageError) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .io("opening the file", code: errno) }
    defer { close(file) }
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count >= 0 else { throw .io("reading the file", code: errno) }
      guard count > 0 else { return hash.finish().hex }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
