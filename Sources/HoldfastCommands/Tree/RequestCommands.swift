import CommandLine
import TerminalUI

extension Command {
  private static let itsID = "Its id, as 'holdfast request list' shows it, or the id's first 4 or more digits"
  private static let whichRequests = Argument("ids", itsID + "; several if you like", required: false, repeats: true)
  private static let howLong = CommandOption.value(
    "for", "TIME", "Remember the answer for what is alike: once, 5m, 1h, 1d, 1w or always (once)",
    completion: .words(["once", "5m", "1h", "1d", "1w", "always"]))
  private static let permission = CommandOption.value(
    "permission", "PERMISSION", "What to remember it for, when that is to be wider than the request")
  private static let allLike = CommandOption.value("all-like", "ID", "All that wait and are like this one, of the same app")

  static let request = Command(
    "request", "What apps are waiting for: list, show, approve, deny, watch",
    verbs: [
      Command("list", "List the requests that wait for you"),
      Command("show", "Show all that one request would do", arguments: [Argument("id", itsID)]),
      Command(
        "approve", "Approve requests that wait", discussion: rememberingMeaning, arguments: [whichRequests],
        options: [howLong, permission, allLike, SharedOptions.yes],
        examples: [
          Example("holdfast request approve 3f2a", "this request, this time"),
          Example("holdfast request approve 3f2a --for 1h", "and what is like it, for an hour"),
          Example("holdfast request approve --all-like 3f2a", "all the likes that wait"),
        ]),
      Command(
        "deny", "Refuse requests that wait", discussion: rememberingMeaning, arguments: [whichRequests],
        options: [howLong, permission, allLike, SharedOptions.yes]),
      Command(
        "watch", "Follow what waits, as it comes",
        discussion: "Shows what waits now, then each request as it comes, until Ctrl-C. With --json one line each."),
    ])

  private static let rememberingMeaning = """
    With --for the answer holds for what is alike: the same kind from the same app, for messages with the same person, for logins \
    at the same place. 'holdfast client show' lists what is remembered, 'holdfast client forget' takes it back.
    """
}
