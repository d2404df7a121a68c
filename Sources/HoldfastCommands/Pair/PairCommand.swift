import CommandLine
import OwnerAPI
import RequestPreview
import ResponseTexts
import TerminalUI

/// `holdfast pair`: without a link it makes one. With an app's link it accepts that.
enum PairCommand: ProgramCommand {
  static let place = Command(
    "pair", "Make a link for an app, or accept an app's link",
    discussion: """
      Without URI: prints a new bunker:// link, and its QR code if other machines reach it and the terminal is large enough. A link works once. To a file or another \
      program it prints the link alone. With URI: accepts the \
      nostrconnect:// link that an app shows. '-' reads it from standard input. At a terminal it first says what the link brings, and asks.
      """,
    arguments: [Argument("uri", "The app's nostrconnect:// link, or - for standard input", required: false)],
    options: [
      SharedOptions.identity,
      SharedOptions.trust(
        "What the app may do: \(SharedOptions.trustMeaning) (default: the one it has; for a new app see 'holdfast policy show')"),
      .value("name", "NAME", "Your name for the app (default: what it calls itself)"),
      .repeated("relay", "URL", "A relay for the new link instead of the signer's own"),
      .value("expires", "TIME", "How long the new link can be used, such as 15m or 7d, or until which date"), QRCodeOutput.option,
      SharedOptions.yes,
      .flag("list", "List the links that no app has used yet"),
      .value("cancel", "LINK", "Cancel a link that no app has used yet", completion: .names("links")),
      .flag(
        "local-relay", "Allow relays in the app's link that are on this machine or in your network, by address or by name"),
    ],
    examples: [
      Example("holdfast pair", "a link for an app that asks for one"),
      Example("holdfast pair --name 'Amethyst on the phone'", "a link whose app you will recognise when it asks"),
      Example("holdfast pair --list", "links that you made and that no app has used"),
      Example("holdfast pair --trust low 'nostrconnect://…'", "accept an app's link; the app asks you for everything"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    try chosen(line).run(line)
  }

  /// What the command line asks for.
  static func chosen(_ line: Invocation) -> any ProgramCommand.Type {
    if line.has("list") { return PairListCommand.self }
    if line.has("cancel") { return PairCancelCommand.self }
    return line.argument("uri") == nil ? PairNewCommand.self : PairAcceptCommand.self
  }

  /// Options that list links or cancel one go with nothing that makes one.
  static func check(_ line: Invocation) throws(UsageError) {
    guard let chosen = ["list", "cancel"].first(where: { line.has($0) }) else { return }
    let others = ["list", "cancel", "trust", "identity", "name", "relay", "expires", "qr", "local-relay"].filter { $0 != chosen }
    if let other = others.first(where: { line.has($0) }) { throw .exclude(option: chosen, other: other) }
    if line.argument("uri") != nil { throw .argumentUnexpected(position: 1, command: line.path) }
  }
}

/// `holdfast pair` without a link.
enum PairNewCommand: OwnerCommand {
  typealias Operation = PairNew

  static let place = PairCommand.place

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PairNew.Request {
    var request = PairNew.Request()
    request.identity = line.value("identity")
    request.trust = line.word("trust")
    request.name = line.value("name")
    request.relays = try line.relays()
    request.expires = try line.lifetime("expires", now)
    return request
  }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let request = try asked(line)
    if request.trust == .full { try confirm(TrustWords.fullQuestion("the app") + " Make the link?", line) }
    let result = try performWhole(PairNew.call(request), line)
    if !line.has("json") {
      let answer = try PairNew.answer(result)
      guard Terminal.isOutput || line.has("qr") else { return piped(answer, line) }
      QRCodeOutput.show(answer.bunker, isThisMachineOnly: answer.isThisMachineOnly, line)
    }
    return try show(result, line)
  }

  /// A file or another program gets the link alone; what a person should know goes to standard error.
  private static func piped(_ answer: PairNew.Response, _ line: Invocation) -> ExitCode {
    Output.warning(suggested(line).text(meaning(answer)))
    return Output.line(shown(answer.bunker, limit: 4096)) ? .done : .failed
  }

  static func text(_ answer: PairNew.Response, _ reader: Reader) -> String {
    meaning(answer) + "\n\n" + shown(answer.bunker, limit: 4096)
  }

  private static func meaning(_ answer: PairNew.Response) -> String {
    """
    Give this link to one app. The app signs as \(shown(answer.identity)), with \(shown(answer.trust)) trust: \
    \(TrustWords.meaning(answer.trust)). The link works once, until \(moment(answer.expires)).\(reach(answer))
    """
  }

  private static func reach(_ answer: PairNew.Response) -> String {
    let here = answer.isThisMachineOnly ? "\n" + thisMachineOnly : ""
    guard let relays = answer.unreached else { return here + notRunning(answer.relays) }
    return here + unreached(relays)
  }

  /// What is said of a link whose relays are all on this machine.
  static let thisMachineOnly = """
    It works for apps on this machine only. For a phone: holdfast pair --relay wss://… (to find a relay: holdfast relay list)
    """

  private static func notRunning(_ relays: [String]) -> String {
    "\nNo signer runs. The link is for one that listens at \(list(relays)), and works once that one runs: holdfast up"
  }

  static func unreached(_ relays: [String]) -> String {
    guard !relays.isEmpty else { return "" }
    return
      "\nNot connected to \(relays.map { shown($0, limit: 1024) }.joined(separator: " and ")) yet. Until it is, apps get no answer there."
  }
}

/// `holdfast pair` with an app's link.
enum PairAcceptCommand: OwnerCommand {
  typealias Operation = PairAccept

  static let place = PairCommand.place

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> PairAccept.Request {
    // Options for new links only are checked, too.
    _ = try PairNewCommand.request(line, now)
    var request = PairAccept.Request()
    if line.needed("uri").lowercased().hasPrefix("bunker:") {
      throw .refused(
        sentence: "This is a signer's link. It belongs in an app.",
        hint: "Paste it into the app, where it asks for a bunker link. Here, give the nostrconnect:// link that an app shows.")
    }
    if line.argument("uri") != "-" { request.uri = line.needed("uri") }
    request.identity = line.value("identity")
    request.trust = line.word("trust")
    request.name = line.value("name")
    request.allowsLocalRelays = line.has("local-relay")
    return request
  }

  static func complete(_ request: inout PairAccept.Request, _ line: Invocation) throws(CommandError) {
    if line.argument("uri") == "-" { request.uri = try StandardInput.link() }
    try askFirst(request, line)
  }

  /// At a terminal, describes the link and asks. A script has decided already.
  private static func askFirst(_ request: PairAccept.Request, _ line: Invocation) throws(CommandError) {
    guard Terminal.isInput, !line.has("yes"), !line.has("json") else { return }
    var wanted = PairPreview.Request()
    (wanted.uri, wanted.identity) = (request.uri, request.identity)
    let preview = try PairPreview.answer(try performWhole(PairPreview.call(wanted), line))
    Output.line(
      PairPreviewText.text(preview, trust: request.trust ?? preview.trust) { PermissionWords(typed: $0, of: nil)?.label })
    try confirm(PairPreviewText.question(preview), line)
  }

  static func text(_ answer: PairAccept.Response, _ reader: Reader) -> String {
    let wanted = answer.permissions.isEmpty ? "nothing in particular" : list(answer.permissions)
    let remark =
      answer.localRelays.isEmpty
      ? "" : "\nIts link names a relay on this machine or in your network, and the signer uses it: \(list(answer.localRelays))."
    return """
      Paired with “\(foreign(AppName.shown(answer.name, answer.client)))” (\(shown(answer.client))), which signs as \(shown(answer.identity)).
      \(trust(answer)) It asked for: \(wanted).\(remark)\(PairNewCommand.unreached(answer.unreached ?? []))
      """
  }

  /// The trust of the app, and what became of the one it had.
  private static func trust(_ answer: PairAccept.Response) -> String {
    let now = shown(answer.trust)
    guard let before = answer.trustBefore else {
      let again = answer.revokedAt.map { "You revoked it on \(day($0)). It is paired again now. " } ?? ""
      return "\(again)It has \(now) trust."
    }
    let kept = "It was paired before, and keeps its rules"
    return before == answer.trust ? "\(kept) and its \(now) trust." : "\(kept). Its trust was \(shown(before)) and is \(now) now."
  }
}
