import CommandLine
import TerminalUI

extension Command {
  static let identity = Command(
    "identity",
    """
    Your keys: create, import, derive, export, list, show, set, rename, delete, class, receipt, rotate, succession, reset-event
    """,
    verbs: [createIdentity, importIdentity, deriveIdentity, scanAccounts, vanity, exportIdentity] + identityVerbs + [
      rotate, rotation, succession,
    ])

  private static let name = Argument("name", "Its name")
  private static let newName = Argument("name", "A name for it, for your eyes only")

  private static let createIdentity = Command(
    "create", "Create a new identity",
    discussion: """
      Makes fresh words (BIP-39) and the key of their account 0 (NIP-06). The words stay in the vault, sealed; write them down with \
      'holdfast identity export NAME --format mnemonic'. A words passphrase (the "25th word") is not kept: without it the words do not \
      give the key.
      """,
    arguments: [newName],
    options: [
      .value("words", "N", "How many words: 12, 15, 18, 21 or 24 (12)", completion: .words(["12", "15", "18", "21", "24"]))
    ] + wordsPassphrase + keeping,
    examples: [
      Example("holdfast identity create alice", "a fresh key named alice"),
      Example("holdfast identity create work --words 24 --colour teal", "more words, and a colour"),
    ])

  private static let importIdentity = Command(
    "import", "Import a key",
    discussion: """
      Reads the key from standard input: nsec, 64 hex digits, ncryptsec, 12 to 24 words, an encrypted key file, or what another signer \
      exported (Amber, nos2x-fox, nsecbunkerd, keep). What it is, is found out. On a terminal it is asked for without echo. It is \
      never taken as an argument, where the shell's history and other programs can read it.
      """,
    arguments: [newName],
    options: [
      .value("from-file", "FILE", "Read the key from a file", completion: .file),
      .value("from-fd", "N", "Read the key from an open file descriptor"),
      .value("password-file", "FILE", "The password of an encrypted key (else asked for on the terminal)", completion: .file),
      .value("account", "N", "Which account of a mnemonic, from 0 (NIP-06)"),
      .value("pick", "KEY", "Which key of a file that holds several: its number from 1, its name there, or its npub"),
      .flag("scan", "Words: look on its relays for further accounts that were used, as 'identity accounts' does"),
      taking,
    ] + wordsPassphrase + keeping,
    examples: [
      Example("holdfast identity import alice", "asks for the key"),
      Example("pass show nostr | holdfast identity import alice", "takes it from another program"),
      Example("holdfast identity import alice --from-file amber.jsonl --pick 2", "the second account of an Amber export"),
    ])

  private static let deriveIdentity = Command(
    "derive", "Make another account of words that are here",
    discussion: """
      The new identity has a key of its own, from the same words (NIP-06: m/44'/1237'/ACCOUNT'/0/0). Whoever has the words has them all.
      """,
    arguments: [Argument("from", "An identity that came from the words"), newName],
    options: [.value("account", "N", "Which account, from 0 (else the one after the highest that is here)")] + wordsPassphrase
      + keeping,
    examples: [Example("holdfast identity derive alice work", "the next account of alice's words, named work")])

  private static let scanAccounts = Command(
    "accounts", "Find the accounts of an identity's words that were used",
    discussion: """
      Makes the keys of accounts 0, 1, 2 … and asks relays which of them has published anything, until 20 in a row are unknown. \
      At a terminal it asks which of them to take; --take says so before. A taken one becomes an identity named NAME-NUMBER. Asked are \
      the relays given, else those the identity is known to use. They learn that somebody is interested in these keys together.
      """,
    arguments: [name],
    options: [.repeated("relay", "URL", "A relay to ask; may be given several times"), taking] + wordsPassphrase,
    examples: [
      Example("holdfast identity accounts alice --relay wss://relay.example.com", "which other keys did these words make?"),
      Example("holdfast identity accounts alice --take 2,5", "makes alice-2 and alice-5 if both were used"),
    ])

  private static let taking = CommandOption.value(
    "take", "WHICH", "Make identities of the accounts found: all, or their numbers as 0,2,5 (else asked for at a terminal)")

  private static let exportIdentity = Command(
    "export", "Export a key",
    discussion: """
      ncryptsec (NIP-49) is one line that other signers read. file is a file of JSON with everything about the identity, its words, \
      too. Both are encrypted under a password of their own, which is asked for twice on the terminal or read from a file.

      nsec and mnemonic are open: whoever sees them has the key. They need --unencrypted and the words "I understand", typed or given \
      with --confirm.

      The vault's passphrase is asked for each time, and each export stands in the log.
      """,
    arguments: [name],
    options: [
      .value(
        "format", "FORMAT", "ncryptsec, file, nsec or mnemonic (ncryptsec)",
        completion: .words(["ncryptsec", "file", "nsec", "mnemonic"])),
      .value("password-file", "FILE", "Read the new password from a file (else asked for on the terminal)", completion: .file),
      .value("out", "FILE", "Write it to a new file that only you can read, instead of showing it", completion: .file),
      .flag("qr", "Show an ncryptsec or nsec as a QR code on the terminal, too"),
      .value("qr-png", "FILE", "Write its QR code to a new picture", completion: .file),
      .value("qr-svg", "FILE", "Write its QR code to a new drawing", completion: .file),
      .value("log-n", "N", "ncryptsec: what a guess at the password costs, 2^N KiB, 16 to 22 (16)"),
      .value(
        "security", "WORD", "ncryptsec: what it says of the key's past (else what is known)",
        completion: .words(["handled-insecurely", "not-known-insecure", "untracked"])),
      .value("hint", "TEXT", "file: a reminder of the password; anybody can read it"),
      .flag("unencrypted", "Let the key out unencrypted, for nsec and mnemonic"),
      .value("confirm", "WORDS", "The words \"I understand\", for scripts"),
    ],
    examples: [
      Example("holdfast identity export alice > alice.ncryptsec", "a backup of one key, to keep elsewhere"),
      Example("holdfast identity export alice --format file --out alice.json", "key, words and details in an encrypted file"),
      Example("holdfast identity export alice --format mnemonic --unencrypted", "the words, to write on paper"),
    ])

  private static let identityVerbs = [
    Command("list", "List the identities"),
    Command("show", "Show one identity", arguments: [Argument("name", "Its name (else the default identity)", required: false)]),
    Command(
      "set", "Set colour, emoji, relays and notes of an identity",
      discussion: "What is not named stays as it is. None of it leaves the vault.",
      arguments: [name],
      options: looks + [
        .repeated("clear", "DETAIL", "Take one away: colour, emoji, relays or notes; may be given several times")
      ],
      examples: [
        Example("holdfast identity set alice --colour teal", "so that you know it at a glance"),
        Example("holdfast identity set alice --relay wss://relay.example.com --notes 'since 2021'", "what you want to remember"),
        Example("holdfast identity set alice --clear notes", "forget the notes"),
      ]),
    Command(
      "rename", "Give an identity another name", arguments: [Argument("name", "Its name now"), Argument("to", "Its new name")]),
    Command(
      "reset-event", "Forget what was signed in one place, so that it takes events again",
      discussion: """
        Of profiles, lists and other kinds that replace each other, Holdfast signs each date once and none that is older than what it \
        remembers. Where a clock was years ahead, or an earlier version let an app date events far ahead, nothing newer can be signed \
        there. This forgets them. Events dated before now stay refused. Relays keep what they have: ask them to delete it (kind 5).
        """,
      arguments: [
        name, Argument("kind", "The kind's number, as 0, 3, 10002 or 30023"),
        Argument("d-tag", "For kinds 30000 to 39999: the event's d tag", required: false),
      ],
      examples: [
        Example("holdfast identity reset-event alice 3", "the follow list"),
        Example("holdfast identity reset-event alice 30023 my-article", "one article"),
      ]),
    Command(
      "delete", "Delete an identity and its key, for good",
      discussion: """
        Needs the passphrase, a token or the recovery kit. Says whether a kit, a backup or an export still has the key, and asks; \
        without a terminal it is refused unless you say --yes. Its apps are unpaired. Its words go, too, unless another identity came \
        from them.
        """,
      arguments: [name], options: [SharedOptions.yes],
      examples: [
        Example("holdfast identity delete bob", "asks for the passphrase, says what still has the key, and asks"),
        Example("holdfast identity delete bob --yes --passphrase-file pass", "in a script"),
      ]),
    Command("default", "Make an identity the default one", arguments: [name]),
    Command(
      "class", "Say when an identity's key can be used",
      discussion: """
        Seals the key, and the words it came from, under another class. after-first-unlock stays usable while locked; when-unlocked does \
        not; device-passcode, biometric-any, biometric-required and biometric-or-passcode want you to show that you are there for each \
        use. With ,this-device-only behind it the key is left out of every backup and does not open where device.key and the machine's id \
        are others. That keeps it from a copy of the vault alone. Against a copy of the whole folder by somebody who knows the machine's id \
        it is not enforced here, unless this machine's TPM seals device.key: see 'holdfast slot bind --help'.
        """,
      arguments: [name, Argument("class", "The class")],
      examples: [Example("holdfast identity class alice device-passcode", "each use of alice wants the passphrase")]),
    Command(
      "receipt", "Say what holds a key, what opens it, and who can rebuild it",
      discussion: """
        Everything in it is read off the vault and its log as they are now, with when it was last tested. What this machine cannot \
        enforce, it says. With --json for programs.
        """,
      arguments: [Argument("name", "Its name (else the default identity)", required: false)],
      examples: [Example("holdfast identity receipt alice", "how safe is this key?")]),
  ]

  private static let wordsPassphrase: [CommandOption] = [
    .flag("words-passphrase", "Ask for a words passphrase (BIP-39's \"25th word\")"),
    .value("words-passphrase-file", "FILE", "Read the words passphrase from a file", completion: .file),
  ]

  private static let looks: [CommandOption] = [
    .value("colour", "COLOUR", "#rrggbb, or a name such as teal"), .value("emoji", "EMOJI", "One emoji"),
    .repeated("relay", "URL", "A relay it writes to; may be given several times"), .value("notes", "TEXT", "Whatever you like"),
  ]

  private static let keeping =
    looks + [.value("class", "CLASS", "When its key can be used: when-unlocked, after-first-unlock … (when-unlocked)")]
}
