import CommandLine

/// `holdfast backup run`
enum BackupRunCommand: ProgramCommand {
  static let place = Command("run", "Make the scheduled backup now")

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
