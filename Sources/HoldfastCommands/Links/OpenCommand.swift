import CommandLine
import HoldfastClient
import JSON
import OwnerAPI
import OwnerOperations
import RemoteSigning
import ResponseTexts
import SecretMemory
import Signer
import SigningLinks
import TerminalUI

/// `holdfast open`
enum OpenCommand: ProgramCommand {
  static let place = Command(
    "open", "Answer a link that asks for a signature",
    discussion: """
      Sites and programs ask with links such as keyfob://sign?payload=…&cb=https://… The signer must run; your rules decide, \
      and you are asked when answers go to a place for the first time. Then the callback is opened with the answer.
      """,
    arguments: [Argument("link", "The link, in quotes")],
    options: [
      .flag("print", "Print the callback's address instead of opening it"),
      .value("wait", "TIME", "How long to wait for your answer, such as 10m or 2h (as long as it takes)"), TrialsVault.option,
    ],
    examples: [
      Example("holdfast open 'keyfob://pubkey?cb=https://example.com/signed'", "give a site your public key"),
      Example("holdfast open --print 'keyfob://sign?payload=…&cb=https://example.com/signed'", "see what the site would get"),
    ])

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let wait = try usage(line) { () throws(UsageError) in try line.seconds("wait", as: "a time such as 10m or 2h") }
    let link: SigningLink
    do throws(LinkFault) { link = try SigningLink(line.needed("link"), isApp: LinkHandler.takes) } catch {
      throw CommandError(.usage, error.message, hint: "Nothing was asked and nothing was opened.")
    }
    let answer = try answer(link, wait, line)
    try checkMayBeTold(link, answer)
    try checkMayBeOpened(link, answer, line)
    guard let address = link.answered(answer) else { throw refusal(answer) }
    try deliver(address, isSecret: link.isDecrypting, line)
    guard case .failure(let fault) = answer else { return .done }
    if !line.has("json"), !line.has("print") { Output.warning(fault.message) }
    return exit(fault)
  }

  /// - Parameter wait: in seconds; nil for as long as it takes.
  private static func answer(
    _ link: SigningLink, _ wait: Int64?, _ line: Invocation
  ) throws(CommandError) -> Result<LinkAnswer, LinkFault> {
    guard case .success(let request) = link.request else { return link.request.map { _ in .text("") } }
    let place = link.callback.place
    if !line.has("json") {
      Output.warning("Asking the signer for \(shown(place)). If it waits for you: holdfast request list")
    }
    // This process holds no secret, and the signer must see that it is Holdfast.
    ProcessHardening.showProgram()
    let home = TrialsVault.home(line)
    let waiting = LinkWaiting(home: home, place: place)
    do throws(HoldfastClientError) {
      let client = try HoldfastClient(home: home.path, seconds: wait.map { Int(clamping: $0) })
      let behalf = JSONValue.object([.init("callback", .string(place))])
      let (method, parameters) = request.call
      guard let answer = request.answer(try client.result(of: method, parameters, on: behalf, onSilence: waiting.teller(line)))
      else { throw .unreadable }
      return .success(answer)
    } catch {
      if error == .timedOut { return .failure(try unanswered(line)) }
      return .failure(try fault(error, line))
    }
  }

  /// The owner did not answer in time.
  /// - Throws: unless the answer is printed: what nobody let in opens nothing.
  private static func unanswered(_ line: Invocation) throws(CommandError) -> LinkFault {
    let fault = LinkFault(.expired, "The owner did not answer within \(line.value("wait") ?? "").")
    guard line.has("print") else { throw CommandError(exit(fault), fault.message, hint: "Nothing was opened.") }
    return fault
  }

  /// - Throws: what says nothing to the asker.
  private static func fault(_ error: HoldfastClientError, _ line: Invocation) throws(CommandError) -> LinkFault {
    if case .notRunning = error { try checkHasVault(line) }
    return switch error {
    case .refused(let code, let message): LinkFault(.init(rawValue: code) ?? .expired, message)
    case .notRunning: throw CommandError(OperationError.needsDaemon)
    case .notOurs:
      throw CommandError(.failed, "Another user listens on this vault's socket.", hint: "Look at the folder's permissions.")
    case .timedOut, .closed: LinkFault(.expired, "The signer ended before it answered.")
    case .unreadable:
      throw CommandError(.failed, "The signer's answer could not be read.", hint: "It may be another version. Restart it.")
    }
  }

  /// A browser asks before it opens an app. A page that may open `keyfob:` links must not open any other app by one that is faulty or
  /// refused: a "no" is remembered for a while, and would open whatever address the page gives.
  private static func checkMayBeTold(_ link: SigningLink, _ answer: Result<LinkAnswer, LinkFault>) throws(CommandError) {
    guard link.callback.host == nil, case .failure(let fault) = answer else { return }
    throw CommandError(exit(fault), fault.message, hint: "An app is opened only with an answer, so nothing was opened.")
  }

  /// Any page can open a link that asks nobody, because it is faulty, or the signer is locked or busy. So of what was not let in, it opens
  /// only what the owner said no to.
  private static func checkMayBeOpened(
    _ link: SigningLink, _ answer: Result<LinkAnswer, LinkFault>, _ line: Invocation
  ) throws(CommandError) {
    guard case .failure(let fault) = answer, fault.code != .denied, !line.has("print"), !isLetIn(link.callback.place, line) else {
      return
    }
    throw CommandError(
      exit(fault), fault.message,
      hint: "\(shown(link.callback.place)) was not let in, so nothing was opened. "
        + "To see what it would get: holdfast open --print LINK")
  }

  /// - Returns: false also when no signer says so.
  private static func isLetIn(_ place: String, _ line: Invocation) -> Bool {
    guard let result = try? askDaemonWhole(LocalList.call(Nothing()), TrialsVault.home(line)),
      let known = try? LocalList.answer(result).programs
    else { return false }
    return known.contains { $0.link?.callback == place && !$0.isFirstUse }
  }

  private static func deliver(_ address: String, isSecret: Bool, _ line: Invocation) throws(CommandError) {
    if line.has("json") { Output.line(JSONValue.object([.init("callback", .string(address))])) }
    if line.has("print") {
      if !line.has("json") { Output.plain(address) }
      return
    }
    try openInBrowser(address, isSecret: isSecret)
  }

  private static func refusal(_ answer: Result<LinkAnswer, LinkFault>) -> CommandError {
    guard case .failure(let fault) = answer else { return CommandError(.failed, "The link has no answer.") }
    return CommandError(
      exit(fault), fault.message, hint: "This kind of link has no way to say so to the site, so nothing was opened.")
  }

  private static func exit(_ fault: LinkFault) -> ExitCode {
    switch fault.code {
    case .denied, .notAllowed: .denied
    case .locked: .locked
    case .noKey: .notFound
    case .invalid, .tooLarge, .unsupported: .usage
    default: .failed
    }
  }
}

extension SigningLink {
  /// Whether the answer holds what somebody encrypted.
  fileprivate var isDecrypting: Bool {
    if case .success(.decrypt) = request { true } else { false }
  }
}
