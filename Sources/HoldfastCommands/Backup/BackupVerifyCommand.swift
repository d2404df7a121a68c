import CommandLine

/// `holdfast backup verify`
enum BackupVerifyCommand: ProgramCommand {
  static let place = Command(
    "verify", "Open a backup and say what is in it",
    discussion: """
      Opens every record it can, with the passphrase or shares of a recovery kit, and changes nothing: when it was made, which \
      keys are in it, and all ways that open it. Needs no vault. While the signer runs, it remembers when you last did this, and \
      without FILE and PLACE takes the newest where your plan brings them. \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [BackupArguments.from, SharedOptions.hidden] + BackupArguments.place,
    examples: [
      Example("holdfast backup verify keys.hfb", "would my passphrase do?"),
      Example("holdfast backup verify keys.hfb --shares-file shares.txt", "would these shares do?"),
      Example("holdfast backup verify --from https://me@cloud.example/dav/keys", "the newest of a WebDAV server"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
