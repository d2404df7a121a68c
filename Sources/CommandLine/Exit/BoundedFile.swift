import Platform
import TerminalUI

/// A file that must be short.
public enum BoundedFile {
  /// The whole file.
  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - most: the most bytes that it may have.
  /// - Throws: when it is longer, or cannot be read.
  public static func bytes(of path: String, most: Int) throws(CommandError) -> [UInt8] {
    let shown = path == "-" ? "Standard input" : printable(path, limit: 300)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(shown, errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: most + 1)
    var count = 0
    while count <= most {
      let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: count), most + 1 - count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw unreadable(shown, errno) }
      guard got > 0 else { break }
      count += got
    }
    guard count <= most else {
      throw CommandError(.usage, "\(shown) is longer than \(most < 1024 ? "\(most) bytes" : "\(most >> 10) KiB").")
    }
    return Array(bytes.prefix(count))
  }

  private static func unreadable(_ shown: String, _ code: Int32) -> CommandError {
    CommandError(
      ExitCode(file: code), "\(shown) could not be read: \(systemMessage(code)).",
      hint: "Check the file's name and its permissions.")
  }
}
