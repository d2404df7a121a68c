import CommandLine
import Encodings
import OwnerAPI
import Platform
import TerminalUI

/// How many shares a kit has and how many of them are needed, asked of a person who did not say.
enum KitShape {
  private static let usualCount: Int64 = 3
  private static let most: Int64 = 16
  private static let usualFolder = "holdfast-kit"
  /// How often the numbers may be typed.
  private static let attempts = 3

  /// Fills in the numbers if the command line has none.
  /// - Returns: the folder for the sheets, if it was asked for.
  /// - Throws: if numbers are missing and nobody can be asked.
  static func ask(_ request: inout RecoveryCreate.Request, _ line: Invocation) throws(CommandError) -> String? {
    guard request.groups.isEmpty, request.threshold == nil || request.shares == nil else { return nil }
    guard request.threshold == nil, request.shares == nil, Terminal.isInput, !line.has("json") else { throw .noShape }
    try checkHasVault(line)
    let numbers = try askedNumbers(
      request.identity == nil ? "open the vault, or a backup of it, without the passphrase" : "bring the key back")
    (request.threshold, request.shares) = (numbers.needed, numbers.all)
    return line.has("out")
      ? nil : folder(PlainInput.line("Folder for the sheets to print? Enter for \(usualFolder):", limit: Int(PATH_MAX)))
  }

  /// How many there are, then how many of them are needed.
  /// - Parameter what: what enough of them do.
  private static func askedNumbers(_ what: String) throws(CommandError) -> (needed: Int64, all: Int64) {
    let all = try number(
      "A kit is split into shares, each on a sheet of its own, for different places. Some of them together \(what).\n"
        + "How many shares in all?", usual: usualCount, most)
    guard all > 1 else { return (1, 1) }
    let usual = all / 2 + 1
    let enough = all - usual
    let lost = enough == 1 ? "one may be lost" : "\(enough) may be lost"
    return (try number("How many of them to restore? With \(usual), \(lost).", usual: usual, all), all)
  }

  /// Asks for one number, and again after something else.
  private static func number(_ question: String, usual: Int64, _ most: Int64) throws(CommandError) -> Int64 {
    for attempt in 1...attempts {
      let typed = PlainInput.line("\(question) [\(usual)]")
      if typed.isEmpty { return usual }
      if let number = TimeSpan.digits(typed.utf8), (1...most).contains(number) { return number }
      if attempt < attempts { Output.warning("Type a number from 1 to \(most), or only Enter for \(usual).") }
    }
    throw .badNumber(most)
  }

  /// The folder that was typed.
  private static func folder(_ typed: String) -> String {
    typed.isEmpty ? usualFolder : FolderName.typed(typed)
  }
}

/// A folder that was typed at a question.
enum FolderName {
  /// No shell has put the home folder in the place of `~`.
  static func typed(_ text: String) -> String {
    guard text.hasPrefix("~/"), let home = getenv("HOME") else { return text }
    return String(cString: home) + text.dropFirst()
  }
}

extension CommandError {
  fileprivate static let noShape = CommandError(
    .usage, "The number of shares, or how many of them are needed, is missing.", hint: "For example: --threshold 3 --shares 5")

  fileprivate static func badNumber(_ most: Int64) -> CommandError {
    CommandError(.usage, "That is no number from 1 to \(most). No kit was made.", hint: "For example: --threshold 2 --shares 3")
  }
}
