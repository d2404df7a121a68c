import CommandLine
import JSON
import LocalAccess
import OwnerAPI
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// `holdfast request watch`: shows waiting and new requests until it is stopped or the signer ends. At a terminal it takes answers.
enum RequestWatchCommand: ProgramCommand {
  /// How long one call waits for changes, in seconds.
  static let patience: Int64 = 50

  static let place = Command(
    "watch", "Show waiting requests as they arrive",
    discussion: """
      Shows the waiting requests, then each new one, until Ctrl-C, SIGTERM or the end of the signer. With --json, one line for each.

      At a terminal each request has a number, and you answer there, each time followed by Enter: a 2 approves the second one, \
      d 2 denies it, a 2 1h approves it and similar ones for an hour (any time such as 30m or 3d, or always). 2 shows it again, ? shows what \
      waits, q ends. If only one request waits, you can leave out its number. For a key that needs you at each use, you are asked \
      for the passphrase.
      """)

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if !line.has("json"), Terminal.isInput, Terminal.isOutput {
      var session = try WatchSession(line)
      return try session.run()
    }
    let home = home(line)
    try checkHasVault(line)
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
      // Beside what a program reads. A text says it itself where nothing waits yet.
      if isFirst, line.has("json") || !answer.requests.isEmpty { Output.warning(WatchText.waiting) }
    }
  }

  static func news(_ home: String, _ request: RequestWatch.Request) throws(CommandError) -> ControlResult {
    let response: ControlResponse
    do {
      response = try ControlClient.call(home: home, RequestWatch.call(request), timeout: Int(patience + 15) * 1000)
    } catch {
      throw error == .noDaemon
        ? CommandError(.failed, "No signer runs on this home.", hint: "Start it: holdfast up") : CommandError(daemon: error)
    }
    switch response {
    case .success(let result): return result
    case .failure(let exit, let error, let hint, _, _, _):
      throw CommandError(ExitCode(rawValue: Int32(clamping: exit)) ?? .failed, error, hint: hint ?? "")
    }
  }
}

/// The output of `request watch`.
enum WatchText {
  /// What it does from now on, without a terminal to answer at.
  static let waiting =
    "Waiting for further requests, and for answers to these, until Ctrl-C or SIGTERM, or the end of the signer."

  /// One line of JSON for each request that began or ended to wait: `{"waits":{account}}`, `{"ended":ID,"approved":true}`.
  static func lines(_ news: JSONValue) -> [JSONValue] {
    let waits = (news["requests"]?.array ?? []).map { JSONValue.object([.init("waits", $0)]) }
    let ended = (news["ended"]?.array ?? []).map { end in
      JSONValue.object([.init("ended", end["id"] ?? .null), .init("approved", end["approved"] ?? .null)])
    }
    return waits + ended
  }

  /// A request with the number by which it is answered.
  static func numbered(_ number: Int, _ request: WaitingRequest, _ reader: Reader) -> String {
    styled("Request \(number)", .bold, if: reader.colors) + "\n"
      + RequestText.account(request, reader.now, namesAnswers: false, colors: reader.colors) + "\n"
  }

  static func ended(_ number: Int, _ end: EndedRequest) -> String { "Request \(number) \(outcome(end)).\n" }

  /// The answers that are possible.
  static let help = """
    Each answer is followed by Enter:
      a 2      approves request 2
      d 2      denies request 2
      a 2 1h   approves it and similar requests for an hour; d 2 1h denies them
      2        shows request 2 again
      ?        shows this, and what waits
      q        quits; what waits goes on waiting
    If one request waits, a and d need no number. Times: 30m, 1h30m, 3d, 2w and the like, or always.
    """

  static let justChanged = "The requests changed while you typed, so nothing was done. This waits now:"

  /// An answer that means none of the requests that wait.
  /// - Parameter number: the one that was typed; nil for none, which is said below by the question.
  static func missing(_ number: Int?, _ numbers: [Int]) -> String {
    guard let number else {
      return numbers.isEmpty ? "" : "\(numbers.count) requests wait. Add the number of the one that you mean."
    }
    return "Request \(number) does not wait" + (numbers.isEmpty ? "." : ". These do:")
  }

  /// How the requests with these numbers are answered.
  static func question(_ numbers: [Int]) -> String {
    guard let first = numbers.first else {
      return "Nothing waits for you. New requests appear here. Type q to quit or ? for help, then Enter."
    }
    guard numbers.count > 1 else {
      return "Type a to approve or d to deny request \(first), q to quit, or ? for more, then Enter."
    }
    let all = numbers.map(String.init).joined(separator: ", ")
    return
      "Requests \(all) wait. Type a \(first) to approve or d \(first) to deny request \(first), q to quit, or ? for more, then Enter."
  }

  /// Stands below the question while nothing can be approved.
  static let locked = "The signer is locked: you can deny now. To approve, unlock it first: holdfast unlock"

  /// The same in short, for somebody who has read it once. What is typed stands behind it.
  static func shortQuestion(_ numbers: [Int]) -> String {
    guard let first = numbers.first else { return "Nothing waits [?/q]: " }
    guard numbers.count > 1 else { return "Answer request \(first) [a/d/?/q]: " }
    return "Answer requests \(numbers.map(String.init).joined(separator: ", ")) [a \(first)/d \(first)/?/q]: "
  }

  private static func outcome(_ end: EndedRequest) -> String {
    end.isApproved.map { $0 ? "was approved" : "was denied" } ?? "ended without an answer"
  }

  /// The same in words.
  /// - Parameter isFirst: whether nothing was printed yet.
  static func text(_ news: RequestWatch.Response, isFirst: Bool, now: Int64) -> [String] {
    let waits = news.requests.map { RequestText.account($0, now) + "\n" }
    let ended = news.ended.map { end in
      "Request \(printable(end.id)) \(outcome(end)).\n"
    }
    let isEmpty = isFirst && news.requests.isEmpty
    return (isEmpty ? ["Nothing waits for you. New requests appear here; Ctrl-C ends this.\n"] : []) + waits + ended
  }
}
