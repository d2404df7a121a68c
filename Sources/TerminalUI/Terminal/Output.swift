import Platform

/// Writes to a file descriptor, whole.
public enum Output {
  /// Why something could not be written to standard output, as errno. Nil while all could, or when its reader has just gone (EPIPE).
  public static var failure: Int32? { failed.withLock { $0 } }
  private static let failed = Locked<Int32?>(nil)

  /// Writes all bytes, through interruptions and short writes.
  /// - Returns: false when the reader is gone or the disk is full; what was written before stays.
  @discardableResult
  public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// The same for bytes that must not be copied: secrets go out from where they lie.
  @discardableResult
  public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Platform.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        if descriptor == STDOUT_FILENO, count < 0, code != EPIPE { failed.withLock { $0 = code } }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The text and a line break to standard output. On a terminal, long lines are broken between words, and styled parts are painted.
  @discardableResult
  public static func line(_ text: String) -> Bool {
    plain(Terminal.isOutput ? painted(broken(text, width: Terminal.columns())) : text)
  }

  /// JSON and a line break to standard output, for a terminal: what could move its cursor or reorder its text is written as JSON escapes,
  /// which stand for the same characters. No line is broken.
  @discardableResult
  public static func json(_ text: String) -> Bool { plain(jsonForTerminal(text)) }

  /// The text as it is and a line break to standard output.
  @discardableResult
  public static func plain(_ text: String) -> Bool { write(Array(text.utf8) + [0x0A], to: STDOUT_FILENO) }

  /// As `line`, to standard error.
  public static func warning(_ text: String) {
    write(
      Array((Terminal.isError ? broken(text, width: Terminal.columns(STDERR_FILENO)) : text).utf8) + [0x0A], to: STDERR_FILENO)
  }
}
