import CommandLine
import TerminalUI

extension Command {
  private static let wanted: [CommandOption] = [
    .value("since", "TIME", "Only later ones: seconds since 1970, or how long ago, as 90s, 15m, 2h or 7d"),
    .value("until", "TIME", "Only earlier ones"),
    .value("client", "CLIENT", "Only what this app asked"),
    .value("kind", "N", "Only entries about events of this kind"),
    .value("entry", "WORD", "Only entries of this sort, as paired, vaultOpenFailed, signedIn or settingChanged"),
    .value("decision", "WORD", "Only decisions of this sort", completion: .words(["allow", "ask", "deny"])),
  ]

  static let log = Command(
    "log", "The record of every decision: show, verify, prove, export",
    discussion: """
      Entries are sealed: only you can read them, and only while the vault is unlocked. They are the leaves of a tree whose root \
      is signed, so that none can be changed, cut or added unseen.
      """,
    verbs: [
      Command(
        "show", "Show the newest entries",
        options: wanted + [
          .value("before", "N", "Only entries with a lower number"), .value("limit", "N", "At most so many (50)"),
        ],
        examples: [Example("holdfast log show --since 1h --client amethyst", "what one app did in the last hour")]),
      Command(
        "verify", "Check that no entry was changed, cut, added or moved",
        discussion: """
          Exit code 0 when the whole record is sound, 1 when it is not: the first bad entry is named. Every entry is opened, and \
          the record is compared with what the vault knows of it.
          """,
        options: [.flag("without-keys", "Ask for no passphrase: check hashes and signatures only")]),
      Command(
        "prove", "Prove that an entry is in the log, or that the log only grew",
        discussion: """
          With N: the entry as it stands sealed, the hashes that lead from it to the root of the tree, and the signed root. With \
          --from SIZE: that the log still begins with its first SIZE entries. See 'holdfast log key'.
          """,
        arguments: [Argument("sequence", "The number of the entry", required: false)],
        options: [.value("from", "SIZE", "A number of entries of which you have the root")],
        examples: [Example("holdfast log prove 7 --json", "for another program to check")]),
      Command(
        "export", "Print entries as lines of JSON, oldest first",
        options: wanted, examples: [Example("holdfast log export --since 30d > month.jsonl", "the last month, with leaf hashes")]),
      Command("key", "Show the key that the log's heads are checked with"),
      Command(
        "checkpoint", "Show the signed head of the log",
        discussion: "Kept elsewhere, it shows later whether the log was put back from an older copy.",
        examples: [Example("holdfast log checkpoint > monday.txt", "to compare with later")]),
      Command(
        "retain", "Drop the content of old entries for good",
        discussion: """
          Their hashes stay, so that the log can still be checked and the other entries proved. Goes by days and runs of 512 \
          entries: a little more may stay. The log is written anew for it: the disk needs room for what is kept once more, and 8 MiB. \
          Without an option it says whether that is done each day.
          """,
        options: [
          .value("keep", "DAYS", "How long content is kept: 7d or more, as 90d"),
          .flag("daily", "From now on do the same each day, while the signer is unlocked"),
          .flag("off", "No more each day; what is there stays"), SharedOptions.yes,
        ],
        examples: [
          Example("holdfast log retain --keep 90d", "forgets what was asked more than 90 days ago"),
          Example("holdfast log retain --keep 90d --daily", "goes on forgetting it by itself"),
        ]),
      Command(
        "renew", "Begin a new log where the old one is damaged",
        discussion: """
          The signer refuses a log that is not what it wrote. The old one is kept beside the new one. Takes your proof. A log that \
          cannot be read cannot say whether the vault is an older copy, either: then all apps come back suspended, links and waiting \
          requests are dropped, and everything stays shut until 'holdfast resume'.
          """,
        options: [SharedOptions.yes]),
    ])
}
