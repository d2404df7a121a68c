import CommandLine
import TerminalUI

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
          another vault. With --out each share becomes a page to print, as a file that nobody else can read; print \
          them, then wipe the files. Without it the shares are printed here. Each page says what the shares hold, which npub they \
          must give, and the command that brings it back; so whoever finds a page learns whose key it is a part of.

          A recovery code is off unless you ask for it. It is a passphrase of SLIP-39 that is needed beside the shares and stands on \
          no page: whoever has enough shares and not the code has nothing, and neither have you. A wrong code is no error by itself; \
          it gives another key, which the restore notices by the npub.

          The vault's passphrase is asked for.
          """,
        options: [
          .value("threshold", "T", "How many shares restore"),
          .value("shares", "N", "How many shares there are, up to 16"),
          .repeated("group", "T/N", "Instead: a group of N shares of which T are needed; may be given several times"),
          .value("group-threshold", "G", "How many of the groups are needed (all)"),
          .value("identity", "NAME", "A kit for this one identity instead of the vault"),
          .value("label", "TEXT", "What you call the kit"),
          .flag("new-recovery-code", "Ask for a recovery code that is needed beside the shares"),
          .value("new-recovery-code-file", "FILE", "The same, read from a file", completion: .file),
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
          Does what a restore on a bare machine does, and throws it away: of a kit of the vault, a backup is made, restored by the \
          shares into a private folder, opened, and every key in it is read; of a kit of one identity, the key is brought back into a \
          new vault there and compared. Nothing is shown or kept but the day it worked.
          """,
        arguments: [shareFiles],
        options: [
          .value("npub", "NPUB", "The key that the shares must give, for a kit of an identity that is not here"),
          .value("account", "N", "Which account of the words"),
          SharedOptions.recoveryCode, SharedOptions.hidden,
        ],
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

          Shares do not say which key is theirs: the same 33 words are a key, or the entropy of 24 words with a key for each account, \
          and a wrong recovery code gives another key. With --npub, which stands on each page, the right one is found, and nothing is \
          stored when there is none. Without it you are shown what the shares give and asked; a script says --yes.
          """,
        arguments: [shareFiles],
        options: [
          .value("identity", "NAME", "The shares are of one key: put it here under this name"),
          .value("npub", "NPUB", "The key that the shares must give, as the page says"),
          .flag("words", "The shares hold the entropy of words and not a key"),
          .value("account", "N", "Which account of the words (the one that gives the npub, of the first thousand)"),
          SharedOptions.recoveryCode,
          .flag("yes", "Store the key without asking, where the shares can give one only"),
          .value("new-passphrase-file", "FILE", "Read the new passphrase from a file (else asked for)", completion: .file),
          SharedOptions.hidden,
        ],
        examples: [
          Example("holdfast recovery restore", "asks for the shares one by one, then for a new passphrase"),
          Example("holdfast recovery restore --identity alice --npub npub1…", "brings one key back, and no other"),
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
