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
    case .failed: "The command failed. Standard error says why and what to do next."
    case .usage: "The command line is wrong. Nothing was done."
    case .locked: "The vault is locked, or the passphrase is wrong."
    case .denied: "The command is not allowed."
    case .notFound: "What the command names does not exist, such as an app, an identity or a vault."
    }
  }
}
