import CommandLine

/// `holdfast backup create`
enum BackupCreateCommand: ProgramCommand {
  static let place = Command(
    "create", "Make a backup",
    discussion:
      "Writes FILE, or a file named for vault and time in this folder; overwrites nothing. \(BackupArguments.placeMeaning)",
    arguments: [Argument("file", "The file to make", required: false, completion: .file)],
    options: [.value("to", "PLACE", "Bring it to a place instead, and read it back there")] + BackupArguments.place,
    examples: [
      Example("holdfast backup create", "a file in this folder"),
      Example("holdfast backup create /media/stick/keys.hfb", "a file on a stick"),
      Example("holdfast backup create --to https://me@cloud.example/dav/keys", "on a WebDAV server, once"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
