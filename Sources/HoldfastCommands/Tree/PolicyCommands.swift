import CommandLine
import TerminalUI

extension Command {
  private static let which = Argument(
    "client", "An app: its name, key, or the key's first 4 or more digits", required: false)

  static let policy = Command(
    "policy", "The rules: show, set, explain",
    verbs: [
      Command(
        "show", "Show what is allowed, asked and denied",
        discussion: "Without CLIENT for each level of trust, with CLIENT for that app as it is now.", arguments: [which]),
      Command(
        "set", "Change what holds for all apps",
        options: [
          .value(
            "default-trust", "LEVEL", "The trust of a new pairing when nothing is said",
            completion: .words(SharedOptions.trustLevels)),
          .value("follow-share", "PERCENT", "Ask when a follow list drops more than this share of your follows"),
        ]),
      Command(
        "explain", "Say what the rules would answer, as they are and as they would be",
        discussion: """
          Reads a request from standard input, as an app would send it or an event alone; with --log it takes the past requests \
          of the log, of one app or of all. Nothing is changed. The log keeps no contents: where an answer depends on one, all \
          possible answers are told.

          A change is one of: trust=low, allow=PERMISSION, deny=PERMISSION, ask=PERMISSION, forget=PERMISSION, per_minute=N, \
          per_hour=N, per_day=N, budget=PERMISSION:N/1d, suspended=true, follow_share=N.
          """,
        arguments: [which],
        options: [
          .flag("log", "Take the past requests of the log"), .repeated("change", "EDIT", "Try this change; several may be given"),
          .value("since", "TIME", "With --log: only later ones: seconds since 1970, or how long ago, as 90s, 15m, 2h or 7d"),
          .value("limit", "N", "With --log: at most so many entries, the newest (10000)"),
        ],
        examples: [
          Example(#"echo '{"kind":1,"content":"hi"}' | holdfast policy explain amethyst"#, "would this note be asked?"),
          Example("holdfast policy explain amethyst --log --change trust=low", "what would low trust have asked so far?"),
        ]),
    ])
}
