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
    PLACE is a folder from the root, https://user@host/path of a WebDAV server, or s3://bucket/prefix. Servers are reached by https, \
    unless they run on this machine.
    """
}

extension Noun {
  static let backup = Noun(
    "backup", "One encrypted file with everything: make, check, restore, by itself",
    discussion: """
      A backup opens with what opens the vault: its passphrase, or a recovery kit. Keys of a class bound to this device are not in \
      it. A backup that nobody ever opened is a hope: try 'holdfast backup verify' now and then.
      """,
    commands: [
      BackupCreateCommand.self, BackupVerifyCommand.self, BackupRestoreCommand.self, BackupListCommand.self,
      BackupPlanCommand.self, BackupRunCommand.self, BackupScheduleCommand.self,
    ])
}
