import CommandLine
import ResponseTexts

/// What several commands of `holdfast backup` have in common.
enum BackupArguments {
  static let whichFile = Argument(
    "file", "The backup's file, or with --from its name as 'backup list' shows it (default: the newest)", required: false,
    completion: .file)
  static let from = CommandOption.value(
    "from", "PLACE", "Read the backup from a place: a folder, WebDAV or S3", completion: .names("places"))
  static let place: [CommandOption] = [
    .value("endpoint", "URL", "For s3: the store's address, if it is not Amazon's"),
    .value("region", "NAME", "For s3: the bucket's region (us-east-1)"),
    .value(
      "credentials-file", "FILE",
      "A file with user and password, or key id and secret, one per line (default: ask on the terminal)",
      completion: .file),
    .value("ca", "FILE", "Trust these certificates (PEM) for the server instead of the system's", completion: .file),
  ]
  static let placeMeaning = """
    PLACE is a folder, the address of a WebDAV server (https://user@host/path), or s3://bucket/prefix. Servers \
    need https, unless they run on this machine.
    """
}

extension Noun {
  static let backup = Noun(
    "backup", "Encrypted backups",
    discussion: """
      A backup opens with whatever opens the vault: its passphrase or a recovery kit. It leaves out keys of classes that are \
      bound to this device. Test your backups now and then with 'holdfast backup verify': a backup that nobody ever opened may \
      not open.
      """,
    commands: [
      BackupCreateCommand.self, BackupVerifyCommand.self, BackupRestoreCommand.self, BackupListCommand.self,
      BackupPlanCommand.self, BackupRunCommand.self, BackupScheduleCommand.self,
    ])
}
