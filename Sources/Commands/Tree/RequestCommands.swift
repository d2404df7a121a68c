extension Command {
  private static let whichRequest = Argument(
    "id", "Its id, as 'holdfast request list' shows it, or the id's first 4 or more digits")

  static let request = Command(
    "request", "What apps are waiting for: list, show, approve, deny",
    verbs: [
      Command("list", "List the requests that wait for you"),
      Command("show", "Show all that one request would do", arguments: [whichRequest]),
      Command("approve", "Approve one request, this time", arguments: [whichRequest]),
      Command("deny", "Refuse one request, this time", arguments: [whichRequest]),
    ])

  static let log = Command(
    "log", "The record of every decision: show, verify",
    verbs: [
      Command(
        "show", "Show the newest entries",
        options: [
          .value("since", "TIME", "Only later ones: seconds since 1970, or how long ago, as 90s, 15m, 2h or 7d"),
          .value("client", "CLIENT", "Only what this app asked"),
          .value("kind", "N", "Only entries about events of this kind"),
          .value("limit", "N", "At most so many (50)"),
        ],
        examples: [Example("holdfast log show --since 1h --client amethyst", "what one app did in the last hour")]),
      Command(
        "verify", "Check that no entry was changed, cut or moved",
        discussion: "Exit code 0 when the whole record is sound, 1 when it is not: the first bad entry is named."),
    ])
}
