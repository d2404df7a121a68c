import Platform

/// Reads the bytes of a request while they are sent.
final class BodyReader {
  let length: UInt64
  private let bytes: [UInt8]
  /// -1 when the bytes are in memory.
  private let descriptor: Int32
  private var position: UInt64 = 0

  /// - Returns: nil for no body.
  init?(_ body: HTTPRequest.Body) throws(HTTPClientError) {
    switch body {
    case .none: return nil
    case .bytes(let given): (bytes, descriptor, length) = (given, -1, UInt64(given.count))
    case .file(let path, let size):
      (bytes, length) = ([], size)
      descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { throw .fileNotOpened(code: errno) }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Returns: how many bytes were read; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPClientError) -> Int {
    let count = Int(min(UInt64(buffer.count), length - position))
    guard count > 0 else { return 0 }
    if descriptor < 0 {
      let start = Int(position)
      buffer.copyBytes(from: bytes[start..<start + count])
      position += UInt64(count)
      return count
    }
    let got = pread(descriptor, buffer.baseAddress, count, off_t(position))
    // A file that became shorter would leave the server waiting for the rest.
    guard got > 0 else { throw .fileNotRead(code: got < 0 ? errno : EIO) }
    position += UInt64(got)
    return got
  }

  /// - Returns: false when there is no such position.
  func rewind(to offset: Int64) -> Bool {
    guard offset >= 0, UInt64(offset) <= length else { return false }
    position = UInt64(offset)
    return true
  }
}
