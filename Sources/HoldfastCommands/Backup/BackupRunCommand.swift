import CommandLine

/// `holdfast backup run`
enum BackupRunCommand: ProgramCommand {
  static let place = Command("run", "Do now what the plan says")

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
