internal import Commands
internal import Glibc
internal import LocalAccess

extension Complaint {
  /// A daemon that is there but does not answer as it should.
  init(daemon fault: ControlError) {
    switch fault {
    case .notOurs(let uid):
      self.init(.denied, "The daemon of this vault runs as another user (uid \(uid)).", hint: "Run the command as that user.")
    case .timedOut(let milliseconds):
      self.init(
        .failed, "The daemon did not answer within \(milliseconds / 1000) s.",
        hint: "It may be busy; 'holdfast status' tells, or stop it and start it again.")
    case .system(let code) where code == EACCES || code == EPERM:
      self.init(
        .denied, "The daemon's socket may not be opened: \(systemMessage(code)).", hint: "Run the command as the vault's owner.")
    case .system(let code):
      self.init(.failed, "The daemon cannot be reached: \(systemMessage(code)).", hint: "Stop it and start it again.")
    case .outOfMemory: self = .notInMemory
    case .connectionLost, .answerTooLong, .answerMalformed, .noDaemon:
      self.init(
        .failed, "The daemon's answer could not be read.", hint: "It may be of another version: stop it and start it again.")
    }
  }
}
