import CommandLine
import CredentialOptions
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast request list`
enum RequestListCommand: OwnerCommand {
  typealias Operation = RequestList

  static let place = Command(
    "list", "List the requests that wait for you",
    discussion: """
      Requests of one app that can be answered together are shown as one. With --json, each is listed. While no signer runs, nobody \
      is asked for the passphrase to see them, unless --open or an option that opens the vault is given; with --json that is an error.
      """,
    options: [
      RequestArguments.app, .flag("full", "Show each request, also those that are alike"),
      .flag("open", "Open the vault if no signer runs, to see what waited"), SharedOptions.noPager,
    ])

  static var isPaged: Bool { true }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    if try isLeftClosed(line) {
      _ = printLine(stopped, line)
      return .failed  // as 'status' does, so that a script does not take it for an empty list
    }
    let result = try performWhole(RequestList.call(try asked(line)), line)
    guard !line.has("json"), line.has("full") || line.has("app") else { return try show(result, line) }
    let answer = try RequestList.answer(result)
    if let app = line.value("app"), answer.requests.isEmpty, answer.unread != true {
      return printLine("No request of \(quoted(app)) waits for you.", line)
    }
    let whole = suggested(line).text(text(answer, .present, isFull: line.has("full")))
    return Pager.line(whole, isWanted: !line.has("no-pager")) ? .done : .failed
  }

  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> RequestList.Request {
    RequestList.Request(of: line.value("app"))
  }

  /// Whether no signer runs and nobody asked to open the vault. Requests are sealed in it, their number too.
  /// - Throws: with `--json`, so that a program does not take it for an empty list. A service whose manager gives it the passphrase gets the list.
  private static func isLeftClosed(_ line: Invocation) throws(CommandError) -> Bool {
    guard !line.has("open"), !CredentialSource.isNamed(in: line), !NextSteps.signerRuns(line) else { return false }
    try checkHasVault(line)
    guard line.has("json") else { return true }
    guard try passphraseSource(line) == .terminal else { return false }
    throw CommandError(
      .failed, "No signer runs on this home, so nothing can be answered. Requests that waited are kept for the next start.",
      hint: "Start it: holdfast up. To open the vault instead, add --open.")
  }

  private static let stopped = """
    The signer is not running, so nothing can be answered. Requests that waited are kept for the next start.
    To start the signer: holdfast up. To see now what waited, with your passphrase: holdfast request list --open
    """

  static func text(_ answer: RequestList.Response, _ reader: Reader) -> String { text(answer, reader, isFull: false) }

  static func text(_ answer: RequestList.Response, _ reader: Reader, isFull: Bool) -> String {
    let unread = answer.unread == true ? "Requests from before the start are shown after you unlock: holdfast unlock" : nil
    if answer.requests.isEmpty { return unread ?? "Nothing waits for you." }
    let alike = groups(answer.requests)
    let shownGroups = isFull ? answer.requests.map { [$0] } : alike
    if answer.requests.contains(where: \.isHidden) {
      return (unread.map { $0 + "\n\n" } ?? "") + shownGroups.map { summary($0, reader) }.joined(separator: "\n")
        + "\n\n\(RequestText.hidden)\n\(RequestText.reading)\nTo deny one unread: holdfast request deny ID"
    }
    return (unread.map { $0 + "\n\n" } ?? "") + shownGroups.map { summary($0, reader) }.joined(separator: "\n")
      + "\n" + marks(answer.requests) + "\nTo see one in full: holdfast request show ID"
      + "\nTo answer: holdfast request approve ID (or deny)" + together(alike, isFull) + ofOneApp(alike)
  }

  /// The requests in groups. Those that can be answered together are one group, in the place of its first request.
  private static func groups(_ requests: [WaitingRequest]) -> [[WaitingRequest]] {
    requests.reduce(into: []) { groups, request in
      if let place = groups.firstIndex(where: { request.batch != nil && $0[0].batch == request.batch }) {
        groups[place].append(request)
      } else {
        groups.append([request])
      }
    }
  }

  /// How several that are alike are answered at once; empty if there are none.
  private static func together(_ groups: [[WaitingRequest]], _ isFull: Bool) -> String {
    guard let largest = groups.max(by: { $0.count < $1.count }), largest.count > 1 else { return "" }
    return "\nTo answer \(largest.count) that are alike: holdfast request approve --all-like \(shown(largest[0].id))"
      + (isFull ? "" : "\nTo see each of them: holdfast request list --full")
  }

  /// How all requests of one app are answered, where they are in several entries of the list; empty if no app has several.
  private static func ofOneApp(_ groups: [[WaitingRequest]]) -> String {
    let apps = Dictionary(grouping: groups.map { $0[0].client }, by: \.signer)
    guard let app = apps.values.filter({ $0.count > 1 }).map({ $0[0].typed }).min() else { return "" }
    return "\nTo answer all of one app: holdfast request approve --app \(app)"
  }

  /// What the mark means, where one is shown.
  private static func marks(_ requests: [WaitingRequest]) -> String {
    requests.contains(where: RequestLine.isSerious) ? "\n! is serious: read it in full before you answer" : ""
  }

  /// The most requests of a group whose texts are shown.
  private static let mostTexts = 5

  /// The texts of requests that are alike, each with its id: nobody approves a text that they have not seen. Empty where they have none.
  private static func texts(_ group: [WaitingRequest], _ colors: Bool) -> String {
    let texts = group.map { (id: shown($0.id), text: RequestLine.excerpt($0).drop { ": ".contains($0) }) }
    guard texts.contains(where: { !$0.text.isEmpty }) else { return "" }
    let lines = texts.prefix(mostTexts).map { "\n          \(styled($0.id, .faint, if: colors))  \($0.text)" }
    let rest = group.count > mostTexts ? "\n          and \(group.count - mostTexts) more" : ""
    return lines.joined() + rest
  }

  /// The lines of a request, or of several that are alike: what it would do, what the signer warns of, and why the owner is asked.
  private static func summary(_ group: [WaitingRequest], _ reader: Reader) -> String {
    let (first, colors) = (group[0], reader.colors)
    let line =
      group.count == 1
      ? RequestLine.text(first, colors: colors)
      : RequestLine.heading(first, RequestText.title(first.batchTitle, of: first, colors), colors: colors)
    let texts = group.count == 1 ? "" : self.texts(group, colors)
    let warnings = Set(group.flatMap(RequestText.warnings)).sorted().map { "\n          Warning: \($0)" }.joined()
    let asked = "as \(shown(first.identity.name)), \(ago(first.received, now: reader.now)): \(shown(first.reason))"
    return "\(line)\(texts)\(warnings)\n          \(styled(asked, .faint, if: colors))"
  }
}
