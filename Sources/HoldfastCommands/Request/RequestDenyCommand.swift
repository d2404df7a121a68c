import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast request deny`
enum RequestDenyCommand: OwnerCommand {
  typealias Operation = RequestDeny

  static let place = Command(
    "deny", "Deny waiting requests", discussion: RequestArguments.meaning, arguments: [RequestArguments.ids],
    options: [
      RequestArguments.duration, RequestArguments.permission, RequestArguments.allLike, RequestArguments.allOfApp,
      RequestArguments.all, .flag("yes", "Do not ask for confirmation; --all needs this without a terminal"),
    ],
    examples: [
      Example("holdfast request deny 3f2a", "this request, once"),
      Example("holdfast request deny --app amethyst", "all waiting requests of one app"),
      Example("holdfast request deny --all", "all waiting requests of every app"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestAnswer { try RequestAnswer(line) }

  static func complete(_ request: inout RequestAnswer, _ line: Invocation) throws(CommandError) {
    _ = try request.addMeant(line, verb: "Deny")
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    let lasting = told(request, line)
    let result = try performWhole(Operation.call(request), line)
    let answer = try Operation.answer(result)
    let shown = try show(result, line)
    answer.say(lasting, line)
    return answer.exit(shown, line)
  }

  /// What is said of a lasting answer below the result.
  static func told(_ request: RequestAnswer, _ line: Invocation) -> String? {
    LastingAnswer(request, line).map { lasting in
      lasting.told(lasting.denied, wasAsked: RequestAnswer.asksOfAll(line) && RequestAnswer.canAsk(line))
    }
  }

  static func text(_ answer: AnsweredRequests, _ reader: Reader) -> String { answer.text("Denied") }

  static func next(_ answer: AnsweredRequests, _ line: Invocation) -> String? { answer.next(line) }
}
