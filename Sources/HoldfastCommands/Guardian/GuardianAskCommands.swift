import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast guardian ask`
enum GuardianAskCommand: OwnerCommand {
  typealias Operation = GuardianAsk

  static let place = Command(
    "ask", "Ask a guardian for your share, from a new machine",
    discussion: """
      You need the guardian's public key and the kit's number. The new vault may have any identity. Tell the guardian the six \
      digits that the command prints. When enough shares have arrived: holdfast guardian asked --shares | holdfast recovery \
      restore
      """,
    arguments: [GuardianArguments.npub, Argument("kit", "The kit's number: four digits or letters")],
    options: [
      .value("note", "TEXT", "A note for the guardian"),
      .value("code", "CODE", "The kit's request code (default: ask on the terminal)"), GuardianArguments.relays,
      SharedOptions.identity,
    ])

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> GuardianAsk.Request {
    var request = GuardianAsk.Request()
    (request.npub, request.kit, request.identity) = (line.needed("npub"), line.needed("kit"), line.value("identity"))
    (request.code, request.note) = (line.value("code"), line.value("note"))
    request.relays = try line.relays()
    return request
  }

  // The code is on the owner's papers. It opens nothing, so it may be shown while it is typed.
  static func complete(_ request: inout GuardianAsk.Request, _ line: Invocation) throws(CommandError) {
    guard !line.has("code"), Terminal.isInput, !line.has("json") else { return }
    let code = PlainInput.line("Request code of the kit, from your papers (Enter if you have none):")
    if !code.isEmpty { request.code = code }
  }

  static func text(_ answer: ShareRequestSummary, _ reader: Reader) -> String { GuardianText.request(answer) }
}

/// `holdfast guardian asked`; with `--shares` it prints the shares that were received.
enum GuardianAskedCommand: OwnerCommand {
  typealias Operation = GuardianAsked

  static let place = Command(
    "asked", "List the shares that you asked for, and the answers",
    discussion:
      "To print the shares themselves, the command asks for your proof: the passphrase, a token or shares of the recovery kit.",
    options: [
      .flag("shares", "Print the shares that arrived, one per line"), .value("kit", "ID", "Only shares of this kit"),
      .value("guardian", "NPUB", "With --shares: only shares from this guardian"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    guard line.has("shares") else { return try show(try performWhole(GuardianAsked.call(Nothing()), line), line) }
    var request = GuardianShares.Request()
    (request.kit, request.npub) = (line.value("kit"), line.value("guardian"))
    request.credential = try credential(line)
    return try printShares(try performWhole(GuardianShares.call(request), line), line)
  }

  static func text(_ answer: GuardianAsked.Response, _ reader: Reader) -> String { GuardianText.requests(answer.asked) }
}
