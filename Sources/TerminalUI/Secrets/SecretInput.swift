import Platform
public import SecretMemory

/// Reads a secret from where a program puts one: a file, an open descriptor, standard input.
public enum SecretInput {
  /// Bytes at most: enough for 24 words in any language, and for any passphrase.
  public static let limit = 4096
  /// Bytes at most of a file with keys in it.
  public static let fileLimit = 256 << 10

  /// Reads the whole file, which may be a pipe.
  ///
  /// One line break at the end (`\n` or `\r\n`) is not part of the secret. The file's permissions are not checked.
  /// - Parameter limit: in bytes.
  /// - Throws: `.inFile`, so that the error can name the file.
  public static func read(file path: String, limit: Int = limit) throws(SecretInputError) -> SecretBytes {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .inFile(path: path, .notReadable(code: errno)) }
    defer { close(descriptor) }
    do throws(SecretInputError) { return try read(descriptor: descriptor, limit: limit) } catch {
      throw .inFile(path: path, error)
    }
  }

  /// Reads the descriptor to its end, and leaves it open. As `read(file:)` otherwise.
  public static func read(descriptor: Int32, limit: Int = limit) throws(SecretInputError) -> SecretBytes {
    guard var buffer = try? SecretBytes(count: limit + 3, filling: { _ in }) else { throw .outOfMemory }
    let count = try buffer.mutate { space throws(SecretInputError) in try fill(space, from: descriptor) }
    return try buffer.withBytes { bytes throws(SecretInputError) in
      try secret(in: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), limit: limit)
    }
  }

  /// - Returns: how many bytes there were; the buffer full means that there may be more.
  private static func fill(_ space: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws(SecretInputError) -> Int {
    var filled = 0
    while filled < space.count {
      let count = Platform.read(descriptor, space.baseAddress.map { $0 + filled }, space.count - filled)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw errno == EBADF ? .descriptorNotOpen : .notReadable(code: errno) }
      if count == 0 { return filled }
      filled += count
    }
    return filled
  }

  /// The bytes without the line break at their end, as a secret of their own.
  static func secret(in bytes: UnsafeRawBufferPointer, limit: Int = limit) throws(SecretInputError) -> SecretBytes {
    var end = bytes.count
    if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
    if end > 0, end < bytes.count, bytes[end - 1] == 0x0D { end -= 1 }
    guard end > 0 else { throw .empty }
    guard end <= limit else { throw .tooLong(limit: limit) }
    guard let secret = try? SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(end))) else { throw .outOfMemory }
    return secret
  }
}
