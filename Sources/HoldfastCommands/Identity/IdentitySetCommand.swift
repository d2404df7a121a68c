import CommandLine
import OwnerAPI
import ResponseTexts

/// `holdfast identity set`
enum IdentitySetCommand: IdentityCommand {
  typealias Operation = IdentitySet

  static let place = Command(
    "set", "Set colour, emoji, relays and notes of an identity",
    discussion: "Details that you do not name stay as they are. None of them leaves the vault.",
    arguments: [IdentityArguments.name],
    options: IdentityArguments.looks + [
      .repeated("clear", "DETAIL", "Remove a detail: colour, emoji, relays or notes; may be given several times")
    ],
    examples: [
      Example("holdfast identity set alice --colour teal", "to recognise it at a glance"),
      Example("holdfast identity set alice --relay wss://relay.example.com --notes 'since 2021'", "what you want to remember"),
      Example("holdfast identity set alice --clear notes", "forget the notes"),
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> IdentitySet.Request {
    var request = IdentitySet.Request()
    guard ["colour", "emoji", "relay", "notes", "clear"].contains(where: { line.has($0) }) else {
      throw .refused(
        sentence: "'identity set' needs at least one option that says what to change.",
        hint: "For example: holdfast identity set NAME --colour teal. Others are --emoji, --relay, --notes and --clear.")
    }
    request.identity = IdentityName(line.needed("name"))
    if let colour = line.value("colour") { request.colour = .to(colour) }
    if let emoji = line.value("emoji") { request.emoji = .to(emoji) }
    if let notes = line.value("notes") { request.notes = .to(notes) }
    if line.has("relay") { request.relays = .to(try line.relays()) }
    for detail in line.values("clear") { try clear(detail, &request) }
    return request
  }

  private static func clear(_ detail: String, _ request: inout IdentitySet.Request) throws(UsageError) {
    switch detail {
    case "colour": request.colour = .to(nil)
    case "emoji": request.emoji = .to(nil)
    case "relays": request.relays = .to([])
    case "notes": request.notes = .to(nil)
    default: throw .valueNotAllowed(option: "clear", allowed: ["colour", "emoji", "relays", "notes"])
    }
  }
}
