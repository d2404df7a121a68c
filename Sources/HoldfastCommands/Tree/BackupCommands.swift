import CommandLine
import TerminalUI

extension Command {
  private static let whichFile = Argument(
    "file", "The backup's file; with --from its name there, as 'backup list' shows it (else the newest)", required: false,
    completion: .file)
  private static let from = CommandOption.value("from", "PLACE", "Take it from a place: a folder, WebDAV, S3")
  private static let place: [CommandOption] = [
    .value("endpoint", "URL", "For s3: the store's address, when it is not Amazon's"),
    .value("region", "NAME", "For s3: the bucket's region (us-east-1)"),
    .value(
      "credentials-file", "FILE",
      "What signs in there: user and password, or key id and secret, one a line (else asked for on the terminal)",
      completion: .file),
    .value("ca", "FILE", "Certificates (PEM) to check the server against instead of the system's", completion: .file),
  ]
  private static let placeMeaning = """
    PLACE is a folder from the root, https://user@host/path of a WebDAV server, or s3://bucket/prefix. Servers are reached by https, \
    unless they run on this machine.
    """

  /// `holdfast backup …`
  static let backupVerbs: [Command] = [
    Command(
      "backup", "One encrypted file with everything: make, check, restore, by itself",
      discussion: """
        A backup opens with what opens the vault: its passphrase, or a recovery kit. Keys of a class bound to this device are not in \
        it. A backup that nobody ever opened is a hope: try 'holdfast backup verify' now and then.
        """,
      verbs: [
        Command(
          "create", "Make a backup",
          discussion: "Writes FILE, or a file named for vault and time in this folder; overwrites nothing. \(placeMeaning)",
          arguments: [Argument("file", "The file to make", required: false, completion: .file)],
          options: [.value("to", "PLACE", "Bring it to a place instead, and read it back there")] + place,
          examples: [
            Example("holdfast backup create", "a file in this folder"),
            Example("holdfast backup create /media/stick/keys.hfb", "a file on a stick"),
            Example("holdfast backup create --to https://me@cloud.example/dav/keys", "on a WebDAV server, once"),
          ]),
        Command(
          "verify", "Open a backup and say what is in it",
          discussion: """
            Opens every record it can, with the passphrase or shares of a recovery kit, and changes nothing: when it was made, which \
            keys are in it, and all ways that open it. Needs no vault. While the signer runs, it remembers when you last did this, and \
            without FILE and PLACE takes the newest where your plan brings them. \(placeMeaning)
            """,
          arguments: [whichFile],
          options: [from, SharedOptions.hidden] + place,
          examples: [
            Example("holdfast backup verify keys.hfb", "would my passphrase do?"),
            Example("holdfast backup verify keys.hfb --shares-file shares.txt", "would these shares do?"),
            Example("holdfast backup verify --from https://me@cloud.example/dav/keys", "the newest of a WebDAV server"),
          ]),
        Command(
          "restore", "Make a new home of a backup",
          discussion: """
            For a new machine, or after a loss. The home must not exist yet; an interrupted restore leaves none. What must not live \
            twice is not restored: links, requests that waited, browsers, passkeys of the console.

            Beside the backups lies a sealed list of the apps you revoked since: those are gone. The others come back suspended: let \
            each go on with 'holdfast client resume'. When a newer backup lies beside this one, you are asked; a script says --older. \
            With shares of a recovery kit a new passphrase is asked for, and takes the place of the old one; a person without a \
            passphrase just presses Enter and is asked for shares. \(placeMeaning)
            """,
          arguments: [whichFile],
          options: [
            from, .flag("older", "Go on although a newer backup lies beside it"), SharedOptions.recoveryCode,
            SharedOptions.hidden,
            .value("into", "DIR", "The new home (else --home, or the usual one)", completion: .folder),
            .value("new-passphrase-file", "FILE", "Read the new passphrase from a file", completion: .file),
            .value("kdf-memory", "MIB", "Memory that one guess of a new passphrase costs, in MiB (else calibrated)"),
          ] + place,
          examples: [
            Example("holdfast backup restore keys.hfb", "on a new machine, with the passphrase"),
            Example("holdfast backup restore keys.hfb --shares-file shares.txt", "with three shares of five, say"),
            Example("holdfast backup restore --from /media/disk/backups", "the newest of a folder"),
            Example(
              "holdfast backup restore --from s3://bucket/keys --endpoint https://s3.example --credentials-file s3.txt",
              "the newest of a bucket"),
          ]),
        Command(
          "list", "List the backups where the plan brings them, or at a place",
          discussion: "With --from it needs no vault: so you find them on a new machine. \(placeMeaning)",
          options: [from] + place,
          examples: [
            Example("holdfast backup list", "those of the plan"),
            Example("holdfast backup list --from /media/disk/backups", "those in a folder"),
          ]),
        Command("plan", "Show what is backed up by itself, and how it went"),
        Command("run", "Do now what the plan says"),
        Command(
          "schedule", "Back up by itself",
          discussion: """
            The signer makes a backup each time the period is over, locked or not, reads it back, and only then removes the oldest of \
            those beyond N. One that was missed is made up; one that failed is tried again, and told of. Soon after you revoke an app, \
            the list beside the backups says so, too.

            A new place, and how many stay there, takes your passphrase or another way to open the vault. What you do not say stays as \
            it is. \(placeMeaning)
            """,
          options: [
            .value("to", "PLACE", "Where to"),
            .value("every", "TIME", "How often: 15m to 366d, as 12h, 1d or 1w (at first 1d)"),
            .value("keep", "N", "How many stay there (at first 10)"), .flag("off", "No more; what is there stays"),
          ] + place,
          examples: [
            Example("holdfast backup schedule --to /media/disk/backups", "every day, the last ten"),
            Example("holdfast backup schedule --to https://me@cloud.example/dav/keys --every 12h", "to a WebDAV server"),
            Example(
              "holdfast backup schedule --to s3://bucket/keys --endpoint https://s3.example --region eu", "to a store like S3"),
            Example("holdfast backup schedule --every 6h", "more often, to the same place"),
            Example("holdfast backup schedule --off", "no more"),
          ]),
      ])
  ]
}
