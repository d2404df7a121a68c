import CommandLine
import OwnerAPI
import OwnerOperations
import ResponseTexts

extension HelpTopic {
  /// The topics of `holdfast help`.
  static let holdfast = [opening, times, entries, localPrograms, links, exitCodes, scripts]

  private static let opening = HelpTopic(
    "opening", "Ways to open the vault without typing its passphrase",
    text: """
      A command that changes or reads the vault asks the running signer. If none runs, the command opens the vault itself. On a \
      terminal it then asks for the passphrase. These options name another source, or another way to open the vault.

      The passphrase comes from the first of these: --passphrase-file, --passphrase-fd, the systemd credential \
      holdfast-passphrase, and the terminal, which shows nothing of what is typed. It is never an argument and never an \
      environment variable. One line break at the end is ignored.
      """,
    options: SharedOptions.opening)

  private static let times = HelpTopic(
    "times", "How times are written",
    text: """
      A TIME is a length of time. Where a moment is meant, it is a date as well: --since 2h is two hours ago, --expires 2h is \
      in two hours, and both take a date. Dates are in local time.
      """,
    listTitle: "Forms",
    list: [
      Example("90s, 10m, 2h, 7d, 2w", "seconds, minutes, hours, days or weeks"),
      Example("1h30m, 1d12h", "several of them, the longest first"), Example("now", "this moment"),
      Example("today, yesterday", "the beginning of that day, for --since and --until"),
      Example("2026-12-01", "the beginning of that day"), Example("2026-12-01T14:30", "that minute; the T can be a space"),
      Example("2026-12-01T14:30:05Z", "the same in UTC, with seconds"), Example("1796083200", "seconds since 1970"),
    ])

  private static let entries = HelpTopic(
    "log-entries", "The types of log entries",
    text: "'holdfast log show --entry TYPE' shows the entries of one type.",
    listTitle: "Types", list: LogEntryKind.allCases.map { Example($0.rawValue, meaning(of: $0)) })

  /// A request has two entries, which `log show` tells apart by more than their words.
  private static func meaning(of kind: LogEntryKind) -> String {
    switch kind {
    case .requestDecided: "A request, and what was decided"
    case .requestDone: "What became of a request"
    default: kind.words
    }
  }

  private static let localPrograms = HelpTopic(
    "local-programs", "How programs on this machine ask for signatures",
    text: """
      A program connects to the socket app.sock in the vault's folder and writes one JSON object a line. The first time, you are \
      asked whether it may come in. 'holdfast local list' shows the programs that asked, 'holdfast local trust' says how much each \
      may do. docs/LOCAL-PROGRAMS.md explains the protocol, and what the signer can and cannot know of a program.
      """,
    listTitle: "A request",
    list: [Example(#"{"v":1,"id":"1","method":"getPublicKey"}"#, "the public key, 64 hex digits; to sign, see the document")])

  private static let exitCodes = HelpTopic(
    "exit-codes", "What the exit code of a command says",
    text: "Scripts can tell by the exit code what happened. With --json, an error is one line that holds the code as well.",
    listTitle: "Codes", list: ExitCode.allCases.map { Example("\($0.rawValue)", $0.meaning) })

  private static let scripts = HelpTopic(
    "scripts", "What a command asks without a terminal",
    text: """
      Without a terminal, or with --json, no command asks for confirmation: what a script names, it has decided. So 'client allow', \
      'client trust', 'client revoke', 'pair' and 'request approve ID' do at once what a person at a terminal would be asked about. \
      What allows an app more, or revokes it, takes its whole name or digits of its key there, because nobody is shown which app the beginning \
      of a name means.

      Some commands need --yes there, and do nothing without it: those that nobody can undo, such as 'identity delete', 'slot remove', \
      'recovery remove', 'erase', 'log retain' and 'stop' in a trial, 'request deny --all', and 'request approve --app' when a \
      request that it does not name is serious.

      A secret is never asked for without a terminal either. 'holdfast help opening' says how a script gives a passphrase.
      """)
}
