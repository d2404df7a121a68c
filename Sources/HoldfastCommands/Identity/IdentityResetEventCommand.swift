import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity reset-event`
enum IdentityResetEventCommand: OwnerCommand {
  typealias Operation = IdentityResetEvent

  static let place = Command(
    "reset-event", "Let an identity sign replaceable events of one kind again",
    discussion: """
      Profiles, lists and other replaceable events have one current version. For each, Holdfast signs no event with a date \
      that was used before, and none older than the latest it remembers. If a clock was years ahead, or an earlier version let \
      an app date events far ahead, nothing newer can be signed. This command makes Holdfast forget those dates. Events dated \
      before now stay refused. Relays keep what they have: ask them to delete it (kind 5).
      """,
    arguments: [
      IdentityArguments.name, Argument("kind", "The kind's number, such as 0, 3, 10002 or 30023"),
      Argument("d-tag", "For kinds 30000 to 39999: the event's d tag", required: false),
    ],
    examples: [
      Example("holdfast identity reset-event alice 3", "the follow list"),
      Example("holdfast identity reset-event alice 30023 my-article", "one article"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentityResetEvent.Request {
    guard let kind = Int64(line.needed("kind")), (0...65_535).contains(kind) else {
      throw .argumentNotAllowed(name: "kind", allowed: ["a number from 0 to 65535"])
    }
    var request = IdentityResetEvent.Request()
    request.identity = IdentityName(line.needed("name"))
    (request.kind, request.d) = (kind, line.argument("d-tag"))
    return request
  }

  static func text(_ answer: IdentityResetEvent.Response, _ reader: Reader) -> String {
    "Holdfast forgot what \(shown(answer.name)) signed of kind \(answer.kind) there. It signs events dated from now on again."
  }
}
