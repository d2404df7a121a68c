import CommandLine
import JSON
import LocalAccess
import OwnerAPI
import Platform
import Signer
import TerminalUI

/// `holdfast request watch`: shows waiting and new requests until it is stopped or the signer ends.
enum RequestWatchCommand: ProgramCommand {
  /// How long one call waits for changes, in seconds.
  private static let patience: Int64 = 50

  static let place = Command(
    "watch", "Show waiting requests as they arrive",
    discussion: "Shows the waiting requests, then each new one, until Ctrl-C. With --json, one line for each.")

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let home = home(line)
    var request = RequestWatch.Request()
    request.wait = patience
    while true {
      let result = try news(home.path, request)
      let answer = try RequestWatch.answer(result)
      let isFirst = request.after == nil
      request.after = answer.cursor
      if line.has("json") {
        for news in WatchText.lines(result.json) { guard Output.line(news) else { return .done } }
      } else {
        for line in WatchText.text(answer, isFirst: isFirst, now: Int64(time(nil))) {
          guard Output.line(line) else { return .done }
        }
      }
    }
  }

  private static func news(_ home: String, _ request: RequestWatch.Request) throws(CommandError) -> ControlResult {
    let response: ControlResponse
    do {
      response = try ControlClient.call(home: home, RequestWatch.call(request), timeout: Int(patience + 15) * 1000)
    } catch {
      throw error == .noDaemon
        ? CommandError(.failed, "No signer runs on this home.", hint: "Start it: holdfast up") : CommandError(daemon: error)
    }
    switch response {
    case .success(let result): return result
    case .failure(let exit, let error, let hint, _, _):
      throw CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
    }
  }
}

/// The output of `request watch`.
enum WatchText {
  /// One line of JSON for each request that began or ended to wait: `{"waits":{account}}`, `{"ended":ID,"approved":true}`.
  static func lines(_ news: JSONValue) -> [JSONValue] {
    let waits = (news["requests"]?.array ?? []).map { JSONValue.object([.init("waits", $0)]) }
    let ended = (news["ended"]?.array ?? []).map { end in
      JSONValue.object([.init("ended", end["id"] ?? .null), .init("approved", end["approved"] ?? .null)])
    }
    return waits + ended
  }

  /// The same in words.
  /// - Parameter isFirst: whether nothing was printed yet.
  static func text(_ news: RequestWatch.Response, isFirst: Bool, now: Int64) -> [String] {
    let waits = news.requests.map { RequestText.account($0, now) + "\n" }
    let ended = news.ended.map { end in
      let what = end.isApproved.map { $0 ? "approved" : "denied" } ?? "ended without an answer"
      return "\(printable(end.id))  \(what)\n"
    }
    let isEmpty = isFirst && news.requests.isEmpty
    return (isEmpty ? ["Nothing waits for you. New requests appear here; Ctrl-C ends this.\n"] : []) + waits + ended
  }
}
