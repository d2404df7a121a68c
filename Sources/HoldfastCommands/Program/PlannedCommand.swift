import CommandLine
import OwnerAPI
import OwnerOperations
import ResponseTexts
import TerminalUI

/// A command that removes something for good. First a plan is requested, which says what would be left, and the person is asked.
protocol PlannedCommand: OwnerCommand {
  /// Whether this command line needs a plan. With `--yes` it never does.
  static func isPlannedFirst(_ line: Invocation) -> Bool

  /// The request for the plan.
  static func plan(_ request: Operation.Request) -> Operation.Request

  /// The question to a person who has read the plan; nil for none.
  static func question(_ plan: Operation.Response, _ now: Int64) -> String?

  /// What a person types to accept the plan; nil for the usual yes or no.
  static func typedWord(_ plan: Operation.Response) -> String?

  /// The request after the person accepted the plan.
  static func accepted(_ request: Operation.Request, _ plan: Operation.Response) -> Operation.Request
}

extension PlannedCommand {
  static func isPlannedFirst(_ line: Invocation) -> Bool { true }
  static func accepted(_ request: Operation.Request, _ plan: Operation.Response) -> Operation.Request { request }
  static func typedWord(_ plan: Operation.Response) -> String? { nil }

  static func run(_ line: Invocation) throws(CommandError) -> ExitCode {
    let isPlanned = !line.has("yes") && isPlannedFirst(line)
    // Checked after the command line and what it names, but before a secret is read.
    _ = try usage(line) { () throws(UsageError) in try self.request(line, 0) }
    if isPlanned {
      try check(line)
      try checkCanConfirm(line, needsProof: Operation.properties.proof != .none)
    }
    let accepted = isPlanned ? try acceptedBeforeProof(line) : nil
    var request = try asked(line)
    if let accepted {
      request = self.accepted(request, accepted)
    } else if isPlanned {
      request = try confirmed(request, line)
    }
    return try show(try performWhole(Operation.call(request), line), line)
  }

  /// Shows the plan of a running signer, which needs no proof for it, and asks. So the question comes before the passphrase.
  /// - Returns: the plan that the person accepted; nil if only the vault's credential shows the plan.
  private static func acceptedBeforeProof(_ line: Invocation) throws(CommandError) -> Operation.Response? {
    let request = try usage(line) { () throws(UsageError) in plan(try self.request(line, Reader.present.now)) }
    let answer: ControlResult?
    do throws(CommandError) { answer = try askDaemonWhole(Operation.call(request), home(line)) } catch {
      guard error.error == ShownCredential.nothingGiven.error else { throw error }
      return nil
    }
    guard let answer else { return nil }
    let found = try Operation.answer(answer)
    try ask(found)
    return found
  }

  private static func ask(_ plan: Operation.Response) throws(CommandError) {
    guard let question = question(plan, Reader.present.now) else { return }
    guard let word = typedWord(plan) else {
      guard PlainInput.confirms(question) else { throw CommandError(.failed, "Nothing was done.") }
      return
    }
    guard PlainInput.line(question, limit: longestWord) == word else {
      throw CommandError(.failed, "That is not the name. Nothing was done.")
    }
  }

  /// In bytes; longer than every name of an identity.
  private static var longestWord: Int { 1024 }

  /// Opens the vault, shows the plan, then asks. A passphrase that was typed wrongly is asked for again before the question.
  private static func confirmed(_ request: Operation.Request, _ line: Invocation) throws(CommandError) -> Operation.Request {
    var request = request
    let found = try Operation.answer(
      try askingAgain(line) { (again: Bool) throws(CommandError) in
        if again { try complete(&request, line) }
        return try performOnce(Operation.call(plan(request)), line)
      })
    try ask(found)
    return accepted(request, found)
  }
}
