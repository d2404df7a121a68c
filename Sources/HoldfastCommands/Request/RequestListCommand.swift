import CommandLine
import OwnerAPI
import TerminalUI

/// `holdfast request list`
enum RequestListCommand: OwnerCommand {
  typealias Operation = RequestList

  static let place = Command(
    "list", "List the requests that wait for you",
    discussion: "Requests of one app that can be answered together are shown as one. With --json, each is listed.",
    options: [.flag("full", "Show each request, also those that are alike")])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(RequestList.call(Nothing()), line)
    guard !line.has("json"), line.has("full") else { return try show(result, line) }
    return printLine(text(try RequestList.answer(result), .present, isFull: true), line)
  }

  static func text(_ answer: RequestList.Response, _ reader: Reader) -> String { text(answer, reader, isFull: false) }

  static func text(_ answer: RequestList.Response, _ reader: Reader, isFull: Bool) -> String {
    let unread = answer.unread == true ? "Requests from before the start are shown after you unlock: holdfast unlock" : nil
    if answer.requests.isEmpty { return unread ?? "Nothing waits for you." }
    let alike = groups(answer.requests)
    let shownGroups = isFull ? answer.requests.map { [$0] } : alike
    return (unread.map { $0 + "\n\n" } ?? "") + shownGroups.map { summary($0, reader.now) }.joined(separator: "\n")
      + "\n\nTo see one in full: holdfast request show ID"
      + "\nTo answer: holdfast request approve ID, or: holdfast request deny ID" + together(alike, isFull)
  }

  /// The requests in groups. Those that can be answered together are one group, in the place of its first request.
  private static func groups(_ requests: [WaitingRequest]) -> [[WaitingRequest]] {
    requests.reduce(into: []) { groups, request in
      if let place = groups.firstIndex(where: { request.batch != nil && $0[0].batch == request.batch }) {
        groups[place].append(request)
      } else {
        groups.append([request])
      }
    }
  }

  /// How several that are alike are answered at once; empty if there are none.
  private static func together(_ groups: [[WaitingRequest]], _ isFull: Bool) -> String {
    guard let largest = groups.max(by: { $0.count < $1.count }), largest.count > 1 else { return "" }
    let id = shown(largest[0].id)
    return "\nTo answer \(largest.count) that are alike at once: holdfast request approve --all-like \(id),"
      + " or: holdfast request deny --all-like \(id)"
      + (isFull ? "" : "\nTo see each of those that are alike: holdfast request list --full")
  }

  /// Three lines about one request, or about several that are alike.
  private static func summary(_ group: [WaitingRequest], _ now: Int64) -> String {
    let (first, isOne) = (group[0], group.count == 1)
    return """
      \(shown(first.id))  \(foreign(first.client.name)): \(foreign(isOne ? first.title : first.batchTitle))
          \(isOne ? "would" : "the first would") \(shown(first.summary, limit: 400))
          as \(shown(first.identity.name)), \(ago(first.received, now: now)); \
      asked because: \(shown(first.reason))
      """
  }
}
