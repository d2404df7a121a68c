extension Command {
  static let identity = Command(
    "identity", "Your keys: create, import, export, list, rename, delete",
    verbs: [
      Command(
        "create", "Create a new identity",
        arguments: [Argument("name", "A name for it, for your eyes only")],
        examples: [Example("holdfast identity create alice", "a fresh key named alice")]),
      Command(
        "import", "Import a key",
        discussion: """
          Reads the key from standard input: nsec, 64 hex digits, ncryptsec, or 12 to 24 words. On a terminal it is asked for \
          without echo. It is never taken as an argument, where the shell's history and other programs can read it.
          """,
        arguments: [Argument("name", "A name for it, for your eyes only")],
        options: [
          .value("from-file", "FILE", "Read the key from a file", completion: .file),
          .value("from-fd", "N", "Read the key from an open file descriptor"),
          .value("password-file", "FILE", "The password of an ncryptsec key (else asked for on the terminal)", completion: .file),
          .value("account", "N", "Which account of a mnemonic, from 0 (NIP-06)"),
        ],
        examples: [
          Example("holdfast identity import alice", "asks for the key"),
          Example("pass show nostr | holdfast identity import alice", "takes it from another program"),
        ]),
      vanity, rotate, rotation, succession,
      Command(
        "export", "Export a key, encrypted under a password",
        discussion: """
          Prints the key as ncryptsec (NIP-49), for a backup or another signer. It is encrypted under a password of its own, which \
          is asked for twice on the terminal or read from a file. The vault's passphrase is asked for, too.
          """,
        arguments: [Argument("name", "Its name")],
        options: [
          .value("password-file", "FILE", "Read the new password from a file (else asked for on the terminal)", completion: .file)
        ],
        examples: [Example("holdfast identity export alice > alice.ncryptsec", "a backup of one key, to keep elsewhere")]),
      Command("list", "List the identities"),
      Command(
        "show", "Show one identity",
        arguments: [Argument("name", "Its name (else the default identity)", required: false)]),
      Command(
        "rename", "Give an identity another name",
        arguments: [Argument("name", "Its name now"), Argument("to", "Its new name")]),
      Command(
        "delete", "Delete an identity and its key, for good",
        discussion: "The key cannot be brought back unless you have it elsewhere. Its clients are unpaired.",
        arguments: [Argument("name", "Its name")], options: [SharedOptions.yes]),
      Command(
        "default", "Make an identity the default one",
        arguments: [Argument("name", "Its name")]),
    ])
}
