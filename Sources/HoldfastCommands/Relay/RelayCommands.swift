import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast relay list`
enum RelayListCommand: OwnerCommand {
  typealias Operation = RelayList

  static let place = Command("list", "List the relays that a new link names, and some public ones")

  static func text(_ answer: RelayList.Response, _ reader: Reader) -> String {
    let here = answer.isThisMachineOnly ? " Only apps on this machine reach them." : ""
    return """
      A new link names: \(list(answer.relays)).\(here)
      In use by apps and links: \(list(answer.used.map(used))).
      Public relays to try: \(list(answer.suggested)).
      To try one: holdfast relay try URL
      """
  }

  /// One of them: `wss://relay.example/ (2 apps, 1 unused link)`
  private static func used(_ relay: RelayUse) -> String {
    let counts = [(relay.apps.count, "app"), (relay.links.count, "unused link")].filter { $0.0 > 0 }
    let users = counts.map { count, what in count == 1 ? "1 \(what)" : "\(count) \(what)s" }
    return "\(shown(relay.url, limit: 400)) (\(users.joined(separator: ", ")))"
  }
}

/// `holdfast relay try`
enum RelayTryCommand: OwnerCommand {
  typealias Operation = RelayTry

  static let place = Command(
    "try", "Test whether a relay passes on the messages between apps and the signer",
    discussion: """
      Two throwaway keys exchange one message there. None of your keys is used. If the relay does not work, the exit code is 1.
      """,
    arguments: [Argument("url", "The relay's address, wss://… or ws://…")],
    examples: [Example("holdfast relay try wss://relay.example.com", "does it work, and how long does it take?")])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RelayTry.Request {
    RelayTry.Request(line.needed("url"))
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(Operation.call(try asked(line)), line)
    let exit = try show(result, line)
    return try Operation.answer(result).delivers ? exit : .failed
  }

  static func text(_ answer: RelayTry.Response, _ reader: Reader) -> String {
    let relay = shown(answer.url, limit: 400)
    guard answer.delivers else { return "\(relay) does not work: \(shown(answer.why ?? "no reason given", limit: 400))." }
    let facts = pairs([
      ("Delay", "\(answer.milliseconds ?? 0) ms"), ("Calls itself", foreign(answer.name)),
      ("Longest message", answer.longestMessage.map { "\($0) bytes" } ?? ""),
      ("Login", answer.needsLogin == true ? "required" : ""), ("Payment", answer.needsPayment == true ? "required" : ""),
    ])
    return "\(relay) works.\n\(facts)\nTo use it for a link: holdfast pair --relay \(relay)"
  }
}

extension Noun {
  static let relay = Noun(
    "relay", "Relays for new links",
    discussion: """
      Apps and the signer exchange encrypted messages over relays. The signer's own relay is reached from this machine only, \
      unless you open it (docs/HOME-SERVER.md), so a link for a phone usually names another one.
      """,
    commands: [RelayListCommand.self, RelayTryCommand.self])
}
