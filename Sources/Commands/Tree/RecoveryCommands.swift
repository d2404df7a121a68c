extension Command {
  /// `holdfast recovery …`
  static let recoveryVerbs: [Command] = [recovery]

  private static let shareFiles = Argument(
    "share-file", "Files with shares, one or several in each (else standard input)", required: false, completion: .file,
    repeats: true)

  static let recovery = Command(
    "recovery", "Kits on paper that bring everything back",
    discussion: """
      A kit is a set of shares: 20 or 33 words each (SLIP-39). So many of them together restore what the kit is for; fewer say \
      nothing at all. Give them to people, or put them in places, that are not lost together.
      """,
    verbs: [
      Command(
        "create", "Make a recovery kit",
        discussion: """
          For the whole vault: enough shares open it without the passphrase. With --identity: enough shares give that one key, in \
          any program that knows SLIP-39. With --out each share becomes a page to print, as a file that nobody else can read; print \
          them, then wipe the files. Without it the shares are printed here.

          The vault's passphrase is asked for.
          """,
        options: [
          .value("threshold", "T", "How many shares restore"),
          .value("shares", "N", "How many shares there are, up to 16"),
          .repeated("group", "T/N", "Instead: a group of N shares of which T are needed; may be given several times"),
          .value("group-threshold", "G", "How many of the groups are needed (all)"),
          .value("identity", "NAME", "A kit for this one identity instead of the vault"),
          .value("label", "TEXT", "What you call the kit"),
          .value("out", "DIR", "Write a page to print for each share into this folder", completion: .folder),
        ],
        examples: [
          Example("holdfast recovery create --threshold 3 --shares 5 --out kit", "five pages, any three of which open the vault"),
          Example("holdfast recovery create --threshold 2 --shares 3 --identity alice", "three shares of one key"),
          Example(
            "holdfast recovery create --group 2/3 --group 3/5 --group-threshold 2 --out kit",
            "two of three in the family and three of five friends"),
        ]),
      Command("list", "List the kits that were made, and when each was tested"),
      Command(
        "test", "Show that shares restore, without showing what",
        discussion: """
          Puts the shares together in memory and looks whether they open this vault or give the key of one of its identities. Nothing \
          is shown or kept but the day it worked.
          """,
        arguments: [shareFiles], options: [SharedOptions.hidden],
        examples: [
          Example("holdfast recovery test", "asks for the shares one by one"),
          Example("holdfast recovery test share-1.txt share-4.txt share-5.txt", "reads them from files"),
        ]),
      Command(
        "restore", "Open a vault whose passphrase is lost, or bring back a key, from shares",
        discussion: """
          Without --identity: opens this vault with the shares and sets a new passphrase; the old ones open it no more. With \
          --identity: puts the key that the shares give into this vault under that name. To start on a new machine from a backup, \
          see 'holdfast backup restore'.
          """,
        arguments: [shareFiles],
        options: [
          .value("identity", "NAME", "The shares are of one key: put it here under this name"),
          .flag("words", "The shares hold the entropy of 24 words and not a key; the page says so"),
          .value("account", "N", "Which account of the words, as the page says (0)"),
          .value("new-passphrase-file", "FILE", "Read the new passphrase from a file (else asked for)", completion: .file),
          SharedOptions.hidden,
        ],
        examples: [
          Example("holdfast recovery restore", "asks for the shares one by one, then for a new passphrase"),
          Example("holdfast recovery restore --identity alice share-*.txt", "brings one key back"),
        ]),
      Command(
        "remove", "End a kit: its shares open the vault no more",
        discussion: """
          Needs the passphrase, a token or the kit itself. A kit of one identity is only forgotten: whoever has enough of its shares has \
          the key for good.
          """,
        arguments: [Argument("id", "The kit's number")], options: [SharedOptions.yes]),
    ])
}
