import CommandLine
import LocalAccess
import OwnerAPI
import Platform
import TerminalUI

extension CommandError {
  /// The error for a daemon that runs but does not answer properly.
  init(daemon fault: ControlError) {
    switch fault {
    case .notOurs(let uid):
      self.init(.denied, "The signer of this vault runs as another user (uid \(uid)).", hint: "Run the command as that user.")
    case .timedOut(let milliseconds, let process):
      self.init(
        .failed, "The signer (process \(process)) did not answer within \(milliseconds / 1000) s.",
        hint: Self.isStopped(process)
          ? "The process is stopped. To continue it: kill -CONT \(process)"
          : "It may be busy: try again. If that does not help, end it (kill \(process)) and start it again: holdfast up")
    case .system(let code) where code == EACCES || code == EPERM:
      self.init(
        .denied, "The signer's control socket could not be opened: \(systemMessage(code)).",
        hint: "Run the command as the vault's owner.")
    case .system(let code):
      self.init(.failed, "The signer could not be reached: \(systemMessage(code)).", hint: "Stop it and start it again.")
    case .outOfMemory: self = .notInMemory
    case .connectionLost, .noDaemon:
      self.init(.failed, "The signer ended before it had answered.", hint: "To start it again: holdfast up")
    case .answerTooLong, .answerMalformed:
      self.init(
        .failed, "The signer's answer could not be read.", hint: "It may be another version. Stop it and start it again.")
    }
  }
  /// Whether the process is stopped by a signal (Ctrl-Z, SIGSTOP), so that it cannot answer.
  private static func isStopped(_ process: Int32) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    // The state is the letter after the name, which is in brackets and may hold any byte.
    guard let end = line[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
    return line[end + 2] == UInt8(ascii: "T")
  }
}
