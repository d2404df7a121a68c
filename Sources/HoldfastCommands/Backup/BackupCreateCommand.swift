import CommandLine

/// `holdfast backup create`
enum BackupCreateCommand: ProgramCommand {
  static let place = Command(
    "create", "Make a backup",
    discussion:
      "Writes FILE, or a file named after the vault and the time in this folder. Never overwrites a file. \(BackupArguments.placeMeaning)",
    arguments: [Argument("file", "The file to make", required: false, completion: .file)],
    options: [.value("to", "PLACE", "Write it to a place instead, and read it back")] + BackupArguments.place,
    examples: [
      Example("holdfast backup create", "a file in this folder"),
      Example("holdfast backup create /media/stick/keys.hfb", "a file on a stick"),
      Example("holdfast backup create --to https://me@cloud.example/dav/keys", "one backup on a WebDAV server"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try callBackup(line) }
}
