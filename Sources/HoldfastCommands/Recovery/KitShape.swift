import CommandLine
import OwnerAPI
import Platform
import TerminalUI

/// How many shares a kit has and how many of them are needed, asked of a person who did not say.
enum KitShape {
  private static let usual = "2/3"
  private static let usualFolder = "holdfast-kit"
  /// How often the numbers may be typed.
  private static let attempts = 3

  /// Fills in the numbers if the command line has none.
  /// - Returns: the folder for the pages, if it was asked for.
  /// - Throws: if numbers are missing and nobody can be asked.
  static func ask(_ request: inout RecoveryCreate.Request, _ line: Invocation) throws(CommandError) -> String? {
    guard request.groups.isEmpty, request.threshold == nil || request.shares == nil else { return nil }
    guard request.threshold == nil, request.shares == nil, Terminal.isInput, !line.has("json") else { throw .noShape }
    try checkHasVault(line)
    let numbers = try askedNumbers(request)
    (request.threshold, request.shares) = (numbers[0], numbers[1])
    return line.has("out")
      ? nil : folder(PlainInput.line("Folder for the pages to print? Enter for \(usualFolder):", limit: Int(PATH_MAX)))
  }

  private static func askedNumbers(_ request: RecoveryCreate.Request) throws(CommandError) -> [Int64] {
    for _ in 1..<attempts {
      do throws(CommandError) { return try numbers(request) } catch {
        Output.warning("\(error.error) For example, 2/3: there are three shares, and any two of them are enough.")
      }
    }
    return try numbers(request)
  }

  /// Asks once.
  private static func numbers(_ request: RecoveryCreate.Request) throws(CommandError) -> [Int64] {
    let typed = PlainInput.line(
      "How many shares are needed, of how many? Enter for \(usual) (you may lose one, and one alone reveals nothing):")
    do throws(UsageError) {
      var request = request
      let numbers = try RecoveryCreateCommand.group(typed.isEmpty ? usual : typed)
      (request.threshold, request.shares) = (numbers[0], numbers[1])
      try RecoveryCreateCommand.checkEnough(request)
      return numbers
    } catch {
      if case .refused(let sentence, let hint) = error { throw CommandError(.usage, sentence, hint: hint) }
      throw .badShape
    }
  }

  /// The folder that was typed; no shell has put the home folder in the place of `~`.
  private static func folder(_ typed: String) -> String {
    if typed.isEmpty { return usualFolder }
    guard typed.hasPrefix("~/"), let home = getenv("HOME") else { return typed }
    return String(cString: home) + typed.dropFirst()
  }
}

extension CommandError {
  fileprivate static let noShape = CommandError(
    .usage, "The number of shares, or how many of them are needed, is missing.", hint: "For example: --threshold 3 --shares 5")

  fileprivate static let badShape = CommandError(
    .usage, "Give two numbers: how many shares are needed, and how many there are.", hint: "For example: 2/3. Nothing was made.")
}
