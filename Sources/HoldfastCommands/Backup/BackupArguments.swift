import CommandLine

/// What several commands of `holdfast backup` have in common.
enum BackupArguments {
  static let whichFile = Argument(
    "file", "The backup's file; with --from its name there, as 'backup list' shows it (else the newest)", required: false,
    completion: .file)
  static let from = CommandOption.value("from", "PLACE", "Take it from a place: a folder, WebDAV, S3")
  static let place: [CommandOption] = [
    .value("endpoint", "URL", "For s3: the store's address, when it is not Amazon's"),
    .value("region", "NAME", "For s3: the bucket's region (us-east-1)"),
    .value(
      "credentials-file", "FILE",
      "What signs in there: user and password, or key id and secret, one a line (else asked for on the terminal)",
      completion: .file),
    .value("ca", "FILE", "Certificates (PEM) to check the server against instead of the system's", completion: .file),
  ]
  static let placeMeaning = """
    PLACE is an absolute folder path, the address of a WebDAV server (https://user@host/path), or s3://bucket/prefix. Servers \
    need https, unless they run on this machine.
    """
}

extension Noun {
  static let backup = Noun(
    "backup", "One encrypted file with everything: make, check, restore, by itself",
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
