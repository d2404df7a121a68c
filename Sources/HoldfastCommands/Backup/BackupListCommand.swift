import CommandLine

/// `holdfast backup list`
enum BackupListCommand: ProgramCommand {
  static let place = Command(
    "list", "List the backups where the plan brings them, or at a place",
    discussion: "With --from it needs no vault: so you find them on a new machine. \(BackupArguments.placeMeaning)",
    options: [BackupArguments.from] + BackupArguments.place,
    examples: [
      Example("holdfast backup list", "those of the plan"),
      Example("holdfast backup list --from /media/disk/backups", "those in a folder"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
