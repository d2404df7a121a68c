import CommandLine

/// `holdfast backup schedule`
enum BackupScheduleCommand: ProgramCommand {
  static let place = Command(
    "schedule", "Back up by itself",
    discussion: """
      The signer makes a backup each time the period ends, also while it is locked. It reads the backup back, and only then \
      removes the oldest ones beyond N. A missed backup is made later. A failed one is tried again, and you are notified. Soon \
      after you revoke an app, the list next to the backups names it too.

      To change the place or the number of backups kept, give your passphrase or another way to open the vault. Options that \
      you leave out keep their values. \(BackupArguments.placeMeaning)
      """,
    options: [
      .value("to", "PLACE", "Where to"),
      .value("every", "TIME", "How often: 15m to 366d, as 12h, 1d or 1w (at first 1d)"),
      .value("keep", "N", "How many stay there (at first 10)"), .flag("off", "No more; what is there stays"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup schedule --to /media/disk/backups", "every day, the last ten"),
      Example("holdfast backup schedule --to https://me@cloud.example/dav/keys --every 12h", "to a WebDAV server"),
      Example(
        "holdfast backup schedule --to s3://bucket/keys --endpoint https://s3.example --region eu", "to a store like S3"),
      Example("holdfast backup schedule --every 6h", "more often, to the same place"),
      Example("holdfast backup schedule --off", "no more"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
