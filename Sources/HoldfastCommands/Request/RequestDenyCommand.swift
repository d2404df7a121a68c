import CommandLine
import OwnerAPI

/// `holdfast request deny`
enum RequestDenyCommand: AnswerCommand {
  typealias Operation = RequestDeny

  static let verb = AnswerVerb.deny

  static let place = Command(
    "deny", "Deny waiting requests", discussion: RequestArguments.meaning, arguments: [RequestArguments.ids],
    options: [
      RequestArguments.duration, RequestArguments.permission, RequestArguments.allLike, RequestArguments.allOfApp,
      RequestArguments.all,
      .flag(
        "yes",
        "Do not ask for confirmation. At a terminal you are asked about --all-like, --app and --all. Without a terminal, or with --json, "
          + "nobody is asked, and --all needs this"),
    ],
    examples: [
      Example("holdfast request deny 3f2a", "this request, once"),
      Example("holdfast request deny --app amethyst", "all waiting requests of one app"),
      Example("holdfast request deny --all", "all waiting requests of every app"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestAnswer { try RequestAnswer(line) }

  static func answer(in request: RequestAnswer) -> RequestAnswer { request }

  static func ask(_ request: inout RequestAnswer, _ line: Invocation, at place: AnswerPlace) throws(CommandError) {
    // A denial by ids is never asked about, so that nothing need be looked up.
    guard RequestAnswer.isOfMany(line) else { return }
    let requests = try request.find(line).meant
    try confirm(AnswerQuestion(verb, request, of: requests, isOfMany: true, at: place).text, line)
  }
}
