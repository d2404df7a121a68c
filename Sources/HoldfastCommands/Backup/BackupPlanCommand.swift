import CommandLine

/// `holdfast backup plan`
enum BackupPlanCommand: ProgramCommand {
  static let place = Command("plan", "Show the schedule of backups and how the last one went")

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
