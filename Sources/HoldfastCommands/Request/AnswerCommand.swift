import CommandLine
import Encodings
import OwnerAPI
import Platform
import ResponseTexts
import TerminalUI

/// `holdfast request approve` and `holdfast request deny`: finds what is answered, checks it, asks about it, answers, and says what came of it.
protocol AnswerCommand: OwnerCommand where Operation.Response == AnsweredRequests {
  static var verb: AnswerVerb { get }

  /// The part of the request that both commands have.
  static func answer(in request: Operation.Request) -> RequestAnswer

  /// Names the requests, and asks whether to answer them.
  /// - Parameter place: where the answer was typed.
  static func ask(_ request: inout Operation.Request, _ line: Invocation, at place: AnswerPlace) throws(CommandError)

  /// Says what became of requests that were answered, if it is not what was meant.
  /// - Returns: whether an app did not get what was meant for it.
  static func tellsOutcome(of answer: AnsweredRequests, _ line: Invocation) -> Bool
}

extension AnswerCommand {
  static func complete(_ request: inout Operation.Request, _ line: Invocation) throws(CommandError) {
    try ask(&request, line, at: .command)
  }

  /// Answers a request below which the answer was typed.
  /// - Returns: the result, and what is said below it.
  static func answered(
    _ line: Invocation, at place: AnswerPlace
  ) throws(CommandError) -> (result: AnsweredRequests, told: String?) {
    var request = try usage(line) { () throws(UsageError) in try self.request(line, Int64(time(nil))) }
    try ask(&request, line, at: place)
    LingeringQuiet.end()
    let told = told(request, line, at: place)
    return (try Operation.answer(try performWhole(Operation.call(request), line)), told)
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let told = told(request, line, at: .command)
    let result = try performWhole(Operation.call(request), line)
    let answer = try Operation.answer(result)
    let shown = try show(result, line)
    answer.say(told, line)
    return answer.exit(tellsOutcome(of: answer, line) ? .failed : shown, line)
  }

  /// What is said below the result, besides it: who is let in, and which rules apply from now on. Looked up before the answer: later the
  /// requests wait no more.
  static func told(_ request: Operation.Request, _ line: Invocation, at place: AnswerPlace) -> String? {
    guard !line.has("json"), let result = try? askDaemonWhole(RequestList.call(.init()), home(line)),
      let waiting = try? RequestList.answer(result).requests
    else { return nil }
    let answer = answer(in: request)
    let meant = answer.meant(among: waiting)
    let question = AnswerQuestion(
      verb, answer, of: meant, among: waiting, isOfMany: RequestAnswer.isOfMany(line), at: place
    ).text
    let lasting =
      LastingAnswer(answer, of: meant)?.told(
        verb, wasAsked: question != nil && RequestAnswer.canAsk(line), now: Reader.present.now)
      ?? (verb == .deny && place == .command ? HoldingText.once(meant.count) : nil)
    let told = [verb == .approve ? NewlyLetIn(meant)?.text : nil, lasting].compactMap { $0 }
    return told.isEmpty ? nil : told.joined(separator: "\n")
  }

  static func tellsOutcome(of answer: AnsweredRequests, _ line: Invocation) -> Bool { false }

  static func text(_ answer: AnsweredRequests, _ reader: Reader) -> String { answer.text(verb) }

  static func next(_ answer: AnsweredRequests, _ line: Invocation) -> String? { answer.next(line) }

  /// The same command line for another time. Its home is added where it is printed.
  /// - Parameter duration: nil for once.
  static func again(_ line: Invocation, for duration: Duration?) -> String {
    var given = line.options
    (given["for"], given["home"], given["json"]) = (duration.map { [$0.rawValue] }, nil, nil)
    if duration == nil { given["permission"] = nil }
    let options = place.allOptions.flatMap { option -> [String] in
      guard let values = given[option.name] else { return [] }
      let joint = option.shape == .optional ? "=" : " "
      return values.isEmpty ? ["--" + option.name] : values.map { "--\(option.name)\(joint)\(ShellWord.plainOrQuoted($0))" }
    }
    return (["holdfast \(line.name)"] + line.arguments("ids").map { shown($0) } + options).joined(separator: " ")
  }
}
