import CommandLine
import CredentialOptions
import JSON
import LocalAccess
import OwnerAPI
import OwnerOperations
import Platform
import ResponseTexts
import Signer
import TerminalUI

/// A command that performs one of the owner's operations and prints the response.
protocol OwnerCommand: ProgramCommand {
  /// The operation.
  associatedtype Operation: OwnerOperation

  /// The part of the request that the command line holds.
  /// - Parameter now: seconds since 1970, for times such as “an hour ago”.
  /// - Throws: for values that the operation does not take.
  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Operation.Request

  /// The question that a person at a terminal must confirm first; nil for none.
  static func question(_ line: Invocation) -> String?

  /// Whether nobody can undo it, so that without a terminal it needs `--yes`.
  static var isFinal: Bool { get }

  /// Whether its text may be long and holds no secret, so that a pager shows it on a small terminal.
  static var isPaged: Bool { get }

  /// Whether the pager shows its end first.
  static var isReadFromEnd: Bool { get }

  /// Refuses what can be refused before anything is asked.
  static func check(_ line: Invocation) throws(CommandError)

  /// Reads what the request still lacks: secrets, files, standard input.
  static func complete(_ request: inout Operation.Request, _ line: Invocation) throws(CommandError)

  /// The response as text for people: lines without a line break at the end.
  static func text(_ answer: Operation.Response, _ reader: Reader) -> String

  /// What a person does next, in one line below the text; nil for nothing in particular.
  static func next(_ answer: Operation.Response, _ line: Invocation) -> String?
}

extension OwnerCommand {
  static func question(_ line: Invocation) -> String? { nil }
  static var isFinal: Bool { false }
  static var isPaged: Bool { false }
  static var isReadFromEnd: Bool { false }
  static func check(_ line: Invocation) throws(CommandError) {}
  static func next(_ answer: Operation.Response, _ line: Invocation) -> String? { nil }
  static func complete(_ request: inout Operation.Request, _ line: Invocation) throws(CommandError) {}

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let result = try performWhole(Operation.call(try asked(line)), line)
    return try show(result, line)
  }

  /// The whole request, confirmed and completed.
  static func asked(_ line: Invocation) throws(CommandError) -> Operation.Request {
    var request = try usage(line) { () throws(UsageError) in try self.request(line, Int64(time(nil))) }
    try checkSignerRuns(line)
    if Operation.properties.proof == .always, Operation.properties.home == .either { try checkIsNoTrial(line) }
    try check(line)
    let question = question(line)
    if question != nil { try checkHasVault(line) }
    if question != nil, isFinal { try checkCanConfirm(line, needsProof: Operation.properties.proof == .always) }
    try confirm(question, line)
    try complete(&request, line)
    return request
  }

  /// Before anything is asked: what only a running signer can do is refused without one.
  private static func checkSignerRuns(_ line: Invocation) throws(CommandError) {
    let home = home(line)
    guard Operation.properties.home == .running, !ControlClient.isDaemonRunning(home: home.path) else { return }
    try credentialSources(line)
    try checkHasVault(line)
    throw CommandError(OperationError.needsDaemon)
  }

  /// Prints a response, as JSON or as text.
  static func show(_ result: ControlResult, _ line: Invocation) throws(CommandError) -> ExitCode {
    if line.has("json") {
      guard Output.line(result.json) else { return .failed }
    } else {
      let answer = try Operation.answer(result)
      let texts = [text(answer, .present), next(answer, line)].compactMap { $0 }.filter { !$0.isEmpty }
      let whole = suggested(line).text(texts.joined(separator: "\n"))
      _ = isPaged ? Pager.line(whole, isWanted: !line.has("no-pager"), fromEnd: isReadFromEnd) : Output.line(whole)
    }
    // Some responses report that something is wrong.
    return result["ok"]?.bool == false ? .failed : .done
  }
}

extension OwnerCommand where Operation.Request == Nothing {
  static func request(_ line: Invocation, _ now: Int64) throws(UsageError) -> Nothing { Nothing() }
}

extension OwnerOperation {
  /// Decodes a response.
  static func answer(_ result: ControlResult) throws(CommandError) -> Response {
    do { return try response(from: result) } catch {
      throw CommandError(
        .failed, "The signer's answer could not be read.", hint: "It may be another version. Stop it and start it again.")
    }
  }
}

/// Sends an operation to the running signer without the credential that it needs, so that what can be refused without one is refused before
/// somebody types it.
/// - Parameter call: an operation that the signer never carries out without its credential.
func checkBeforeProof(_ call: ControlRequest, _ line: Invocation) throws(CommandError) {
  do throws(CommandError) { _ = try askDaemonWhole(call, home(line)) } catch {
    guard error.error == ShownCredential.nothingGiven.error else { throw error }
  }
}

/// What cannot be undone is confirmed by a person at a terminal, or in advance. A program that reads JSON is not asked.
/// - Parameter needsProof: whether the vault's passphrase, or what else opens it, is needed as well: the error names both at once.
/// - Throws: when nobody can be asked and `--yes` was not given.
func checkCanConfirm(_ line: Invocation, needsProof: Bool = false) throws(CommandError) {
  guard !line.has("yes"), !Terminal.isInput || line.has("json") else { return }
  let isTyped = try credentialSources(line).first == .passphrase(.terminal)
  throw CommandError(
    .usage, "'\(line.name)' cannot be undone, and there is no terminal to confirm it. Nothing was done.",
    hint: "To confirm it in advance, add --yes."
      + (needsProof && isTyped ? " It needs the vault's passphrase, too: --passphrase-file FILE" : ""))
}

/// Asks a person at a terminal. A script has decided already; what cannot be undone it says with `--yes` (`isFinal`).
func confirm(_ question: String?, _ line: Invocation) throws(CommandError) {
  guard let question, !line.has("yes"), Terminal.isInput, !line.has("json") else { return }
  if !PlainInput.confirms(question) { throw CommandError(.failed, "Nothing was done.") }
}
