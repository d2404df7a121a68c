import CommandLine
import JSON
import OwnerOperations
import OwnerWords
import Platform
import ResponseTexts
import TerminalUI

/// Reads from standard input what is not secret.
enum StandardInput {
  /// The largest event that is read, in bytes.
  private static let largestEvent = 4 << 20
  /// The longest link that is read, in bytes.
  private static let longestLink = 16 << 10

  /// An event, or a request as an app would send it.
  /// - Parameter example: a command line that gives one, for somebody who gave nothing.
  static func json(example: String) throws(CommandError) -> JSONValue { try value(text(example), "Standard input") }

  /// An event, and the number of its line if there are several.
  struct NumberedEvent {
    let line: Int?
    let event: JSONValue
  }

  /// Events, one a line; or one event on as many lines as it likes.
  /// - Parameter example: a command line that gives one, for somebody who gave nothing.
  static func events(example: String) throws(CommandError) -> [NumberedEvent] {
    let all = try text(example)
    if let one = try? JSONValue(parsing: all) { return [NumberedEvent(line: nil, event: one)] }
    let lines = all.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    let filled = lines.enumerated().filter { $0.element.contains { $0 > 0x20 } }
    guard filled.count > 1, filled[0].element.first == UInt8(ascii: "{"), (try? JSONValue(parsing: filled[0].element)) != nil
    else {
      return [NumberedEvent(line: nil, event: try value(all, "Standard input"))]
    }
    var events: [NumberedEvent] = []
    for (number, line) in filled {
      events.append(NumberedEvent(line: number + 1, event: try value(line, "Line \(number + 1) of standard input")))
    }
    return events
  }

  private static func text(_ example: String) throws(CommandError) -> [UInt8] {
    announce("an event as JSON")
    guard fcntl(STDIN_FILENO, F_GETFD) >= 0 else {
      throw CommandError(.usage, "Standard input is closed. The event is read from there.", hint: "For example: \(example)")
    }
    guard let text = PlainInput.all(limit: largestEvent) else {
      throw CommandError(.usage, "The event on standard input is longer than \(largestEvent >> 20) MiB.")
    }
    guard text.contains(where: { $0 > 0x20 }) else {
      throw CommandError(.usage, "Standard input is empty. The event is read from there.", hint: "For example: \(example)")
    }
    return text
  }

  private static func value(_ text: [UInt8], _ place: String) throws(CommandError) -> JSONValue {
    do { return try JSONValue(parsing: text) } catch {
      throw CommandError(
        .usage, "\(place) is not an event as JSON: \(error.words).",
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
