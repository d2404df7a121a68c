import CommandLine
import TerminalUI

extension Command {
  private static let whichClient = Argument("client", "Its name, key (hex or npub), or the key's first 4 or more digits")
  private static let whichPermission = Argument(
    "permission",
    "A method as NIP-46 writes it, perhaps for one person or place: sign_event:1, nip44_decrypt, nip44_decrypt@npub1…, sign_event:22242@wss://relay, …"
  )
  private static let howLong = CommandOption.value(
    "for", "TIME", "How long: 5m, 1h, 1d, 1w or always (always)", completion: .words(["5m", "1h", "1d", "1w", "always"]))
  private static let placesMeaning = """
    Behind @ stands what narrows it: the other party's key for encryption and decryption (self for your own), the relay for \
    sign_event:22242, method and address for sign_event:27235. The narrower permission holds; for a time it lies over the lasting \
    one, which holds again afterwards.
    """

  static let client = Command(
    "client", "Paired apps: list, trust, allow, ask, deny, limit, revoke",
    verbs: [
      Command("list", "List the paired apps"),
      Command("show", "Show one app, what it asked for and what it may do", arguments: [whichClient]),
      Command(
        "rename", "Give an app another name",
        arguments: [whichClient, Argument("name", "The new name")]),
      Command(
        "trust", "Set how far an app is trusted", discussion: "\(SharedOptions.trustMeaning).",
        arguments: [whichClient, Argument("trust", "full, medium or low", completion: .words(SharedOptions.trustLevels))],
        examples: [Example("holdfast client trust amethyst low", "ask me about everything it wants")]),
      Command(
        "allow", "Allow one kind of request without asking", discussion: placesMeaning,
        arguments: [whichClient, whichPermission], options: [howLong],
        examples: [
          Example("holdfast client allow amethyst sign_event:1", "let it post notes without asking"),
          Example("holdfast client allow amethyst sign_event:0 --for 1h", "let it edit the profile for an hour"),
          Example("holdfast client allow web 'sign_event:27235@POST https://host/upload' --for 1w", "one web login, for a week"),
        ]),
      Command(
        "deny", "Refuse one kind of request", discussion: placesMeaning, arguments: [whichClient, whichPermission],
        options: [howLong]),
      Command(
        "ask", "Be asked about one kind of request, whatever the trust", arguments: [whichClient, whichPermission],
        options: [howLong]),
      Command(
        "forget", "Take back what was allowed, denied or to be asked", arguments: [whichClient, whichPermission],
        examples: [Example("holdfast client forget amethyst sign_event:1", "what the trust says holds again")]),
      Command(
        "limit", "Limit how much an app may do without asking",
        discussion: """
          What goes beyond a limit is asked. Requests that use no key, as ping, are counted by themselves and get an error beyond it. \
          'none' takes a limit away.
          """,
        arguments: [whichClient],
        options: [
          .value("per-minute", "N", "Uses of your key in a minute, or none"),
          .value("per-hour", "N", "Uses of your key in an hour, or none"),
          .value("per-day", "N", "Uses of your key in a day, or none"),
        ],
        examples: [Example("holdfast client limit bot --per-hour 60", "the 61st signature of an hour is asked")]),
      Command(
        "budget", "Give an app so many of one kind of request in a time",
        discussion: "What goes beyond is asked. The time begins with the first one.",
        arguments: [
          whichClient, Argument("permission", "A method, or sign_event:KIND"), Argument("count", "How many, or none"),
        ],
        options: [.value("per", "TIME", "1h, 1d or 1w (1d)", completion: .words(["1h", "1d", "1w"]))],
        examples: [Example("holdfast client budget bot sign_event:1 10 --per 1d", "ten notes a day")]),
      Command("suspend", "Ask about everything an app wants, until it is resumed", arguments: [whichClient]),
      Command("resume", "Let an app's permissions hold again", arguments: [whichClient]),
      Command(
        "revoke", "End a pairing", discussion: "The app can no longer ask for anything; it has to pair again.",
        arguments: [whichClient], options: [SharedOptions.yes]),
    ])
}
