import Encodings
import Platform

/// The names of a listener's files in the vault's folder.
enum WakeFiles {
  static let keys = "wake.key"
  static let newKeys = "wake.key.new"
  static let lock = "wake.lock"

  private static let prefix = "wake-"
  private static let ending = ".push"
  /// At the end of a name while its file is written.
  static let unfinished = ".new"

  /// The file of a push that waits.
  static func push(_ request: Bytes32) -> String { prefix + request.hex + ending }

  /// The request whose push a file of that name has; nil for other files, and for one that is not written to its end.
  static func request(in name: String) -> Bytes32? {
    guard name.hasPrefix(prefix), name.hasSuffix(ending) else { return nil }
    return Bytes32(hex: String(name.dropFirst(prefix.count).dropLast(ending.count)))
  }

  /// Makes the names in a folder durable.
  static func sync(_ folder: String) throws(WakeListeningError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .io(code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .io(code: errno) }
  }

  /// Writes a new file of mode 0600 and makes its content durable.
  static func write(_ bytes: [UInt8], to path: String) throws(WakeListeningError) {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .io(code: errno) }
    let code = writeWhole(bytes, to: file) && stamp(file) && fsync(file) == 0 ? 0 : errno
    close(file)
    guard code == 0 else {
      unlink(path)
      throw .io(code: code)
    }
  }

  /// Gives a file the present time to the nanosecond. By itself it would get that of the last clock tick, which others have as well.
  private static func stamp(_ file: Int32) -> Bool {
    var now = timespec()
    return clock_gettime(CLOCK_REALTIME, &now) == 0 && futimens(file, [now, now]) == 0
  }
}
