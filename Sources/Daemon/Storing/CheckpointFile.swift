internal import AuditLog
import Glibc

/// A checkpoint of the log, kept on another disk or machine: it shows when the whole home was put back from an older copy.
struct CheckpointFile: Sendable {
  let path: String
  /// More than a checkpoint has, in bytes.
  private static let longest = 16 << 10

  /// Compares the log with what is kept; nothing kept is no fault.
  /// - Throws: when it is not what the log is now; everything is shut then until the owner resumes, and that is recorded.
  func compare(_ log: AuditLog, _ home: Home) throws(OperationFailure) {
    let note: [UInt8]
    switch read() {
    case .success(let bytes): note = bytes
    case .failure(let error):
      if error.code == ENOENT { return }
      throw .failed(
        "The checkpoint “\(path)” cannot be read: \(String(cString: strerror(error.code))).",
        hint: "Is its disk there? Without it, start without --checkpoint.")
    }
    let sentence: String
    do {
      switch try log.compare(with: note) {
      case .fits: return
      case .notOfThisLog: sentence = "The checkpoint is not one of this log."
      case .ahead(let known, let found):
        sentence = "The whole home is older than the checkpoint: the log had \(known) entries, and has \(found)."
      case .otherEntries(let last): sentence = "The checkpoint is of another history: entries 1 to \(last) are not those of then."
      }
    } catch { throw OperationFailure(error) }
    _ = Suspension(home).mark()
    _ = try? log.appendAndWait(
      .event(.incidentCritical, rule: "the log is not what the checkpoint says", code: "checkpoint-mismatch"))
    throw OperationFailure(
      .locked, sentence + " Nothing is signed.",
      hint: "Put the newer home back. To go on with this one, move “\(path)” away, then: holdfast up, holdfast resume")
  }

  /// Keeps the log's head as it is on the disk. A crash leaves the old one or the new one.
  /// - Returns: false when it could not be written.
  @discardableResult
  func keep(_ log: AuditLog) -> Bool {
    guard let note = try? log.headNote() else { return false }
    let temporary = path + ".part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    let isWritten = note.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == note.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(temporary, path) == 0 else {
      unlink(temporary)
      return false
    }
    return true
  }

  private struct Fault: Error { let code: Int32 }

  private func read() -> Result<[UInt8], Fault> {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failure(Fault(code: errno)) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
    guard count >= 0 else { return .failure(Fault(code: errno)) }
    return .success(Array(bytes.prefix(count)))
  }
}

extension UpOptions {
  /// Not of a trial, which is gone when it ends.
  var checkpointFile: CheckpointFile? { isTrial ? nil : checkpoint.map { CheckpointFile(path: $0) } }
}
