import CommandLine
import OwnerAPI
import ResponseTexts

/// What the commands of `holdfast log` that list entries have in common.
enum LogArguments {
  static let filter: [CommandOption] = [
    .value(
      "since", "TIME", "Only entries after this time: 7d means 7 days ago; today or yesterday; or a date such as 2026-12-01"),
    .value("until", "TIME", "Only entries before this time"),
    .value(
      "client", "APP",
      "Only entries about this app, paired or not: its name or the first 3 letters of it, its key or the first digits of that",
      completion: .names("apps")),
    .value("app", "APP", "The same as --client", completion: .names("apps")),
    .value("kind", "N", "Only entries about events of this kind"),
    .value(
      "entry", "WORD", "Only entries of this type, such as paired or vaultOpenFailed; all are in 'holdfast help log-entries'",
      completion: .names("entries")),
    .value("decision", "WORD", "Only entries with this decision", completion: .words(["allow", "ask", "deny"])),
  ]
}

extension LogFilter {
  /// The entries that a command line selects.
  init(_ line: Invocation, _ now: Int64) throws(UsageError) {
    self.init()
    since = try line.moment("since", now)
    until = try line.moment("until", now)
    // A minute ahead is a clock that differs.
    if let since, since > now + 60 { throw .refused(sentence: "--since is in the future.", hint: "Check the date.") }
    if let since, let until, since > until {
      throw .refused(sentence: "--since is later than --until, so no entry can be between them.", hint: "Swap the two times.")
    }
    if line.has("client"), line.has("app") { throw .exclude(option: "app", other: "client") }
    client = line.value("client") ?? line.value("app")
    decision = line.word("decision")
    kind = try line.integer("kind", in: 0...65_535)
    guard let name = line.value("entry") else { return }
    entry = LogEntryKind(rawValue: name)
    guard entry != nil else {
      throw .refused(
        sentence: "That type of entry does not exist.", hint: "For all types: holdfast help log-entries")
    }
  }
}

extension Noun {
  static let log = Noun(
    "log", "The log of every decision",
    discussion: """
      Entries are sealed: only you can read them, and only while the vault is unlocked. They are the leaves of a tree with a \
      signed root, so nobody can change, cut or add one unnoticed.
      """,
    commands: [
      LogShowCommand.self, LogIncidentsCommand.self, LogVerifyCommand.self, LogProveCommand.self, LogExportCommand.self,
      LogKeyCommand.self,
      LogCheckpointCommand.self, LogRetainCommand.self, LogRenewCommand.self,
    ])
}
