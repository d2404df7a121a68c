import CommandLine

/// `holdfast backup verify`
enum BackupVerifyCommand: ProgramCommand {
  static let place = Command(
    "verify", "Open a backup and show what is in it",
    discussion: """
      Opens every record it can, with the passphrase or with shares of a recovery kit, and changes nothing. Shows when the \
      backup was made, which keys it holds, and everything that opens it. It needs no vault. If the signer runs, it remembers \
      the date of this check, and without FILE and PLACE it takes the newest backup of your schedule. \
      \(BackupArguments.placeMeaning)
      """,
    arguments: [BackupArguments.whichFile],
    options: [BackupArguments.from, SharedOptions.hidden] + BackupArguments.place,
    examples: [
      Example("holdfast backup verify keys.hfb", "does my passphrase open it?"),
      Example("holdfast backup verify keys.hfb --shares-file shares.txt", "do these shares open it?"),
      Example("holdfast backup verify --from https://me@cloud.example/dav/keys", "the newest backup on a WebDAV server"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
