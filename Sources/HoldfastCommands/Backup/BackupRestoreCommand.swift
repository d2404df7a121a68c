import CommandLine

/// `holdfast backup restore`
enum BackupRestoreCommand: ProgramCommand {
  static let place = Command(
    "restore", "Make a new home of a backup",
    discussion: """
      For a new machine, or after a loss. The home must not exist yet; an interrupted restore leaves none. What must not live \
      twice is not restored: links, requests that waited, browsers, passkeys of the console.

      Beside the backups lies a sealed list of the apps you revoked since: those are gone. The others come back suspended: let \
      each go on with 'holdfast client resume'. When a newer backup lies beside this one, you are asked; a script says --older. \
      With shares of a recovery kit a new passphrase is asked for, and takes the place of the old one; a person without a \
      passphrase just presses Enter and is asked for shares. \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [
      BackupArguments.from, .flag("older", "Go on although a newer backup lies beside it"), SharedOptions.recoveryCode,
      SharedOptions.hidden,
      .value("into", "DIR", "The new home (else --home, or the usual one)", completion: .folder),
      .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
      .value("kdf-memory", "MIB", "Memory that one guess of a new passphrase costs, in MiB (else calibrated)"),
    ] + BackupArguments.place,
    examples: [
      Example("holdfast backup restore keys.hfb", "on a new machine, with the passphrase"),
      Example("holdfast backup restore keys.hfb --shares-file shares.txt", "with three shares of five, say"),
      Example("holdfast backup restore --from /media/disk/backups", "the newest of a folder"),
      Example(
        "holdfast backup restore --from s3://bucket/keys --endpoint https://s3.example --credentials-file s3.txt",
        "the newest of a bucket"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
