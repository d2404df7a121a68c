import CommandLine

/// `holdfast backup plan`
enum BackupPlanCommand: ProgramCommand {
  static let place = Command("plan", "Show what is backed up by itself, and how it went")

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
