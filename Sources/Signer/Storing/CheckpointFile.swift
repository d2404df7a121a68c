package import AuditLog
import Platform

/// A checkpoint of the log, stored on another disk or machine. It shows when the whole home was replaced by an older copy.
package final class CheckpointFile: Sendable {
  package let path: String
  private let failing = Locked(false)

  package init(path: String) { self.path = path }

  /// Whether the last attempt to write it failed.
  package var isFailing: Bool { failing.withLock { $0 } }

  /// Longer than any checkpoint, in bytes.
  private static let longest = 16 << 10

  /// The result of a check.
  package enum Seen: Equatable {
    /// No checkpoint is stored yet.
    case nothing
    case fits
    /// Why the checkpoint cannot be read.
    case unreadable(String)
    /// How the log differs from the checkpoint.
    case differs(String)
  }

  /// Compares the checkpoint with the log.
  /// - Parameter compare: compares a checkpoint's text with the log.
  func look(_ compare: ([UInt8]) throws(AuditLogError) -> CheckpointComparison) throws(AuditLogError) -> Seen {
    let note: [UInt8]
    switch read() {
    case .success(let bytes): note = bytes
    case .failure(let error):
      return error.code == ENOENT && isFolderThere ? .nothing : .unreadable(String(cString: strerror(error.code)))
    }
    // A disk that was full or lost power leaves an empty file.
    guard !note.isEmpty else { return .unreadable("it is empty") }
    switch try compare(note) {
    case .fits: return .fits
    case .noCheckpoint: return .unreadable("what it holds is no checkpoint")
    case .notOfThisLog:
      return .differs(
        "The checkpoint belongs to another log. This is normal only if you began a new log (holdfast log renew) after it was written."
      )
    case .ahead(let known, let found):
      return .differs("The whole home is older than the checkpoint: the log had \(known) entries, but now has \(found).")
    case .otherEntries(let last):
      return .differs("The log does not continue from the checkpoint: entries 1 to \(last) are not the same.")
    }
  }

  /// Compares the log with the checkpoint. A missing checkpoint is not an error.
  /// - Returns: what the owner should know.
  /// - Throws: when the log does not match it. Everything is suspended then until the owner resumes, and that is recorded.
  @discardableResult
  package func compare(_ log: AuditLog, _ home: Home) throws(SignerError) -> String? {
    let seen: Seen
    do { seen = try look { note throws(AuditLogError) in try log.compare(with: note) } } catch { throw SignerError(error) }
    switch seen {
    case .fits: return nil
    case .nothing:
      return """
        There was no checkpoint at “\(path)” yet, so the home was not compared with one. If there was one before, somebody took it away.
        """
    case .unreadable(let why):
      throw .checkpointUnreadable(path: path, why: why)
    case .differs(let sentence):
      _ = Suspension(home).mark()
      _ = try? log.appendAndWait(
        .event(.incidentCritical, rule: "the log is not what the checkpoint says", code: "checkpoint-mismatch"))
      throw .checkpointDiffers(path: path, sentence: sentence)
    }
  }

  /// Compares the checkpoint with the log in a folder. Changes nothing.
  package func look(atLogIn home: Home) throws(AuditLogError) -> Seen {
    try look { note throws(AuditLogError) in try AuditLog.compare(folder: home.log, with: note) }
  }

  /// Stores the log's head as it is on the disk. A crash leaves either the old checkpoint or the new one.
  /// - Returns: false when it could not be written.
  @discardableResult
  package func keep(_ log: AuditLog) -> Bool {
    let isKept = write(log)
    failing.withLock { $0 = !isKept }
    return isKept
  }

  private func write(_ log: AuditLog) -> Bool {
    guard !log.isHeadFailing, let note = try? log.headNote() else { return false }
    let temporary = path + ".part"
    unlink(temporary)  // its bytes may belong to another file, through a hard link
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    let isWritten = note.withUnsafeBytes { Platform.write(file, $0.baseAddress, $0.count) } == note.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, path) == 0 else {
      unlink(temporary)
      return false
    }
    return true
  }

  /// A missing folder shows that its disk is not mounted; a checkpoint may be stored there.
  private var isFolderThere: Bool {
    let end = path.lastIndex(of: "/")
    let folder = end.map { String(path[...$0]) } ?? "."
    return access(folder, F_OK) == 0
  }

  private struct Fault: Error { let code: Int32 }

  private func read() -> Result<[UInt8], Fault> {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failure(Fault(code: errno)) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = bytes.withUnsafeMutableBytes { Platform.read(file, $0.baseAddress, $0.count) }
    guard count >= 0 else { return .failure(Fault(code: errno)) }
    return .success(Array(bytes.prefix(count)))
  }
}
