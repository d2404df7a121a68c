import CommandLine
import OwnerAPI
import Platform

/// A command of `holdfast backup`.
protocol BackupCommand: OwnerCommand {
  /// Asks the running signer, or does it here.
  static func perform(_ request: Operation.Request, _ line: Invocation) throws(CommandError) -> ControlResult
}

extension BackupCommand {
  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try show(try perform(try asked(line), line), line) }

  static func perform(_ request: Operation.Request, _ line: Invocation) throws(CommandError) -> ControlResult {
    let call = Operation.call(request)
    if let answer = try askPatiently(call, line) { return answer }
    return try performWhole(call, line)
  }

  /// Asks the signer, which may need long. A passphrase that was typed wrongly is asked for again.
  /// - Parameter opened: what the passphrase in the request opens.
  /// - Returns: nil if no signer runs.
  static func askPatiently(
    _ call: ControlRequest, _ line: Invocation, opening opened: String = "the vault"
  ) throws(CommandError) -> ControlResult? {
    try askingAgain(line) { (again: Bool) throws(CommandError) in
      try askDaemonWhole(again ? try call.withPassphraseTypedAgain(for: opened) : call, home(line), timeout: backupPatience)
    }
  }
}

/// How long the daemon may take for a backup, in milliseconds. A distant server may be slow.
let backupPatience = 6 * 3_600_000

/// The absolute path. The file need not exist.
func absolute(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  let folder = String(cString: here)
  return path == "." ? folder : folder + "/" + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
}

extension CommandError {
  /// - Parameter command: the command that needs one.
  static func noBackupNamed(_ command: Invocation) -> CommandError {
    CommandError(
      .usage, "No backup is named. Give a FILE, or a place with --from PLACE.", hint: "See: holdfast \(command.name) --help")
  }
}
