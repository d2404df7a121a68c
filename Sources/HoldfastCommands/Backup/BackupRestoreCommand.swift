import CommandLine

/// `holdfast backup restore`
enum BackupRestoreCommand: ProgramCommand {
  static let place = Command(
    "restore", "Restore a backup into a new home",
    discussion: """
      Use it on a new machine or after a loss. The home must not exist yet, and an interrupted restore leaves nothing behind. \
      Links, waiting requests, browser sessions and the console's passkeys are not restored.

      A sealed list of the apps that you revoked lies next to the backups. Those apps are not restored; all others come back \
      paused. Resume each with 'holdfast client resume'. If a newer backup lies next to this one, the command asks first; \
      scripts pass --older. If you open the backup with shares of a recovery kit, it asks for a new passphrase, which replaces \
      the old one. If you have shares instead of a passphrase, press Enter at the first question. \
      \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [
      BackupArguments.from, .flag("older", "Restore this backup although a newer one lies next to it"),
      SharedOptions.recoveryCode,
      SharedOptions.hidden,
      .value("into", "DIR", "The new home (default: --home, or the usual one)", completion: .folder),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value("kdf-memory", "MIB", "Memory that one guess at the new passphrase costs, in MiB (default: calibrated)"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup restore keys.hfb", "on a new machine, with the passphrase"),
      Example("holdfast backup restore keys.hfb --shares-file shares.txt", "with enough shares, such as three of five"),
      Example("holdfast backup restore --from /media/disk/backups", "the newest backup in a folder"),
      Example(
        "holdfast backup restore --from s3://bucket/keys --endpoint https://s3.example --credentials-file s3.txt",
        "the newest backup in a bucket"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
