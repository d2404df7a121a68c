import CLinux
import Platform

/// A file that appears under its name complete and durable, or not at all. It never replaces another file.
///
/// It is written under a name that ends in `.part`, mode 0600. A crash leaves at most that file, which the next attempt removes.
package final class NewFile {
  private let path: String
  private let temporary: String
  private let descriptor: Int32
  private var isDone = false

  /// - Throws: `.exists`, `.io`.
  package init(at path: String) throws(BackupError) {
    guard !HomeFolder.exists(path) else { throw .exists }
    (self.path, temporary) = (path, path + ".part")
    unlink(temporary)
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .io("making the file", code: errno) }
  }

  deinit {
    close(descriptor)
    if !isDone { unlink(temporary) }
  }

  /// Writes behind what was written.
  package func write(_ bytes: [UInt8]) throws(BackupError) {
    try Self.lend(bytes) { bytes throws(BackupError) in try write(bytes) }
  }

  // `withUnsafeBytes` of an array throws any error.
  private static func lend(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(BackupError) -> Void) throws(BackupError) {
    var result = Result<Void, BackupError>.success(())
    bytes.withUnsafeBytes { bytes in
      do throws(BackupError) { try body(bytes) } catch { result = .failure(error) }
    }
    try result.get()
  }

  /// Writes behind what was written.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(BackupError) {
    var done = 0
    while done < bytes.count {
      let count = Platform.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .io("writing the file", code: count < 0 ? errno : EIO) }
      done += count
    }
  }

  /// Makes it durable and gives it its name.
  /// - Throws: `.exists` when something took the name meanwhile, `.io`.
  package func finish() throws(BackupError) {
    guard fsync(descriptor) == 0 else { throw .io("syncing the file", code: errno) }
    guard holdfast_rename_new(temporary, path) == 0 else {
      throw errno == EEXIST ? .exists : .io("naming the file", code: errno)
    }
    isDone = true
    do { try HomeFolder.sync(FilePath.folder(of: path)) } catch { throw .vault(error) }
  }
}
