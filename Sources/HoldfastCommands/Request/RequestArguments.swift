import CommandLine
import OwnerAPI
import TerminalUI

/// What several commands of `holdfast request` have in common.
enum RequestArguments {
  static let itsID = "Its id, as 'holdfast request list' shows it, or the id's first 4 or more digits"
  static let ids = Argument("ids", itsID + "; several if you like", required: false, repeats: true)
  static let duration = CommandOption.value(
    "for", "TIME", "Remember the answer for what is alike: once, 5m, 1h, 1d, 1w or always (once)",
    completion: .words(["once", "5m", "1h", "1d", "1w", "always"]))
  static let permission = CommandOption.value(
    "permission", "PERMISSION", "What to remember it for, when that is to be wider than the request")
  static let allLike = CommandOption.value("all-like", "ID", "All that wait and are like this one, of the same app")
  static let meaning = """
    With --for, the same answer is given to similar requests: the same kind from the same app, messages with the same person, \
    logins at the same place. 'holdfast client show' lists these rules, 'holdfast client forget' removes one.
    """
}

extension Noun {
  static let request = Noun(
    "request", "What apps are waiting for: list, show, approve, deny, watch",
    commands: [
      RequestListCommand.self, RequestShowCommand.self, RequestApproveCommand.self, RequestDenyCommand.self,
      RequestWatchCommand.self,
    ])
}
