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
      + "\nTo answer: holdfast request approve ID, or: holdfast request deny ID" + alike(answer.requests)
  }

  /// How several requests that are alike are answered at once; empty if there are none.
  private static func alike(_ requests: [WaitingRequest]) -> String {
    let batches = Dictionary(grouping: requests.filter { $0.batch != nil }) { $0.batch }
    guard let largest = batches.values.max(by: { $0.count < $1.count }), largest.count > 1, let first = largest.first else {
      return ""
    }
    return "\nTo answer \(largest.count) that are alike at once: holdfast request approve --all-like \(shown(first.id))"
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
