import Platform
import Signer
import Vault

/// A private file without a name, for a backup that is brought to this machine. Nothing is left of it when nobody uses it any more, or
/// when this process ends, whatever ends it.
final class SpoolFile: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: a folder with enough space.
  /// - Throws: `.io`.
  init(in folder: String) throws(BackupError) {
    var path = Array(SpoolName.template(in: folder).utf8CString)
    descriptor = mkstemp(&path)  // mode 0600
    guard descriptor >= 0 else { throw .io("making a file for it", code: errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// The path for reading it, as long as this exists.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// Writes behind what was written.
  /// - Returns: the number of the system's error; nil when all was written.
  func append(_ bytes: [UInt8]) -> Int32? { writeWhole(bytes, to: descriptor) ? nil : errno == 0 ? EIO : errno }
}
