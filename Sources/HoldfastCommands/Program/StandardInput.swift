import CommandLine
import JSON
import OwnerOperations
import OwnerWords
import TerminalUI

/// Reads from standard input what is not secret.
enum StandardInput {
  /// The largest event that is read, in bytes.
  private static let largestEvent = 4 << 20
  /// The longest link that is read, in bytes.
  private static let longestLink = 16 << 10

  /// An event, or a request as an app would send it.
  /// - Parameter example: a command line that gives one, for somebody who gave nothing.
  static func json(example: String) throws(CommandError) -> JSONValue {
    announce("an event as JSON")
    guard let text = PlainInput.all(limit: largestEvent) else {
      throw CommandError(.usage, "The event on standard input is longer than \(largestEvent >> 20) MiB.")
    }
    guard text.contains(where: { $0 > 0x20 }) else {
      throw CommandError(.usage, "Standard input is empty. The event is read from there.", hint: "For example: \(example)")
    }
    do { return try JSONValue(parsing: text) } catch {
      throw CommandError(
        .usage, "Standard input is not an event as JSON: \(error.words).",
        hint: #"An event looks like {"kind":1,"content":"hello"}"#)
    }
  }

  /// Tells a person at a terminal that the program waits for what is typed.
  private static func announce(_ what: String) {
    if Terminal.isInput { Output.warning("Paste \(what), then press Enter and Ctrl-D.") }
  }

  /// A link, without the spaces and line breaks around it.
  static func link() throws(CommandError) -> String {
    announce("the app's link")
    guard let text = PlainInput.all(limit: longestLink) else {
      throw CommandError(.usage, "The link on standard input is longer than \(longestLink >> 10) KiB.")
    }
    let link = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    guard !link.isEmpty else {
      throw CommandError(
        .usage, "Standard input is empty. The link is read from there.",
        hint: "Give the link that the app shows: holdfast pair 'nostrconnect://…'")
    }
    return link
  }
}
