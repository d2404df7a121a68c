import CommandLine

/// `holdfast backup list`
enum BackupListCommand: ProgramCommand {
  static let place = Command(
    "list", "List the backups of the schedule or at a place",
    discussion: "With --from it needs no vault, so you can find your backups on a new machine. \(BackupArguments.placeMeaning)",
    options: [BackupArguments.from] + BackupArguments.place,
    examples: [
      Example("holdfast backup list", "the backups of the schedule"),
      Example("holdfast backup list --from /media/disk/backups", "the backups in a folder"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
