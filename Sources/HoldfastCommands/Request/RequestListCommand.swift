import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast request list`
enum RequestListCommand: OwnerCommand {
  typealias Operation = RequestList

  static let place = Command("list", "List the requests that wait for you")

  static func text(_ answer: RequestList.Response, _ reader: Reader) -> String {
    let unread = answer.unread == true ? "Requests from before the start are shown after you unlock: holdfast unlock" : nil
    if answer.requests.isEmpty { return unread ?? "Nothing waits for you." }
    return (unread.map { $0 + "\n\n" } ?? "") + answer.requests.map { summary($0, reader.now) }.joined(separator: "\n")
      + "\n\nTo see one in full: holdfast request show ID"
      + "\nTo answer: holdfast request approve ID, or: holdfast request deny ID"
  }

  /// Three lines about one request.
  private static func summary(_ request: WaitingRequest, _ now: Int64) -> String {
    """
    \(shown(request.id))  \(foreign(request.client.name)): \(foreign(request.title))
        would \(shown(request.summary, limit: 400))
        as \(shown(request.identity.name)), \(ago(request.received, now: now)); \
    asked because: \(shown(request.reason))
    """
  }
}
