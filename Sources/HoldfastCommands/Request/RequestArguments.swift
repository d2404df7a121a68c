import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// What several commands of `holdfast request` have in common.
enum RequestArguments {
  static let itsID = "The request's id, as 'holdfast request list' shows it, or at least its first 4 digits"
  static let ids = Argument(
    "ids", itsID + "; may be given several times", required: false, completion: .names("requests"), repeats: true)
  static let duration = CommandOption.value(
    "for", "HOW-LONG", "Give similar requests the same answer for \(Duration.form), or always (once)",
    completion: .examples(["once", "5m", "1h", "1d", "1w", "always"]))
  static let permission = CommandOption.value(
    "permission", "PERMISSION", "With --for: answer this wider permission, not only similar requests")
  static let allLike = CommandOption.value(
    "all-like", "ID",
    "All waiting requests like this one, such as notes of one app or logins at one place. What is serious or replaces something "
      + "you rely on, such as profiles and app settings, is answered one by one")
  static let app = CommandOption.value(
    "app", "APP",
    "Only requests of this app: its name or the beginning of it, its key, or at least the first 4 digits of that key",
    completion: .names("apps"))
  static let allOfApp = CommandOption.value(
    "app", "APP", "All waiting requests of this app, instead of ids", completion: .names("apps"))
  static let all = CommandOption.flag("all", "All waiting requests of every app, instead of ids")
  static let meaning = """
    With --for, the same answer is given to similar requests: the same kind from the same app, messages with the same person, \
    logins at the same place. 'holdfast client show' lists these rules, 'holdfast client forget' removes one.
    """
}

extension Noun {
  static let request = Noun(
    "request", "Requests that wait for you",
    commands: [
      RequestListCommand.self, RequestShowCommand.self, RequestApproveCommand.self, RequestDenyCommand.self,
      RequestWatchCommand.self,
    ])
}
