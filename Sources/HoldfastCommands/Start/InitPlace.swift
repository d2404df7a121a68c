import CommandLine

/// `holdfast init`
enum InitCommand: ProgramCommand {
  static let place = Command(
    "init", "Create a vault",
    discussion: """
      The passphrase protects every key in the vault. You type it twice on the terminal, or press Enter for one of seven random words, or give it in a file or descriptor. \
      Nobody can recover it for you.
      """,
    options: [
      .value(
        "kdf-memory", "MIB",
        "Memory that one guess at the passphrase costs, in MiB, 19 to 4096 (default: calibrated to about 0.7 s)"),
      .value("passphrase-file", "FILE", "Read the new passphrase from a file instead of asking for it", completion: .file),
      .value("passphrase-fd", "N", "Read the new passphrase from an open file descriptor"),
    ],
    shared: SharedOptions.newVault,
    examples: [
      Example("holdfast init", "asks for a new passphrase and creates a vault"),
      Example("holdfast init --home /srv/holdfast --passphrase-file pass.txt", "the same without questions"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode { try createVault(line) }
}
