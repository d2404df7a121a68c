import Platform

/// How the command ends.
public enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case failed = 1
  case usage = 2
  case locked = 3
  case denied = 4
  case notFound = 5

  /// What the code means, for the manual page.
  public var meaning: String {
    switch self {
    case .done: "Done."
    case .failed:
      "The command failed, or a check found a fault. Standard error says why and what to do next. Also for a command that needs the running signer, when none runs, and when you answered no to its question."
    case .usage:
      "The command line or what it was given is malformed, such as an option, a key, an id or a time. Or something is needed and there is no terminal to ask on. Nothing was done."
    case .locked:
      "The vault is locked, or what opens it or a backup is wrong, such as the passphrase. Also when that is needed and there is no terminal to ask on."
    case .denied: "What was asked is not allowed: a rule, a protection of the key or the owner denied it."
    case .notFound:
      "What the command names does not exist, such as a file, a vault, an identity, an app, a request, a trial or a schedule."
    }
  }
}

extension ExitCode {
  /// What a system call's error says of a file or folder that the person named: it is not there, or it cannot be used.
  public init(file code: Int32) { self = [ENOENT, ENOTDIR].contains(code) ? .notFound : .failed }
}
