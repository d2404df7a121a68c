import OwnerAPI
import ResponseTexts
import TerminalUI

/// A waiting request in one line, the same in every list: its id, a mark if it is serious, its app, and what it would do.
enum RequestLine {
  /// How much of a request's text stands in its line, in characters.
  private static let longestExcerpt = 40

  /// The line of a request in a list of requests to answer.
  static func text(_ request: WaitingRequest, colors: Bool = false) -> String {
    heading(request, what(request, colors), colors: colors)
  }

  /// The line above an explanation, which has the request's text itself.
  static func explained(_ request: WaitingRequest) -> String { heading(request, foreign(request.title)) }

  /// The line with another title behind the app's name: that of several requests, or one in a colour.
  /// - Parameter title: safe to show.
  static func heading(_ request: WaitingRequest, _ title: String, colors: Bool = false) -> String {
    // A name is cut and says little of an app that was never let in.
    let place = request.rule == "first-use" ? request.client.place.map { " (\(foreign($0)))" } ?? "" : ""
    let mark = isSerious(request) ? styled("!", .bad, if: colors) + " " : ""
    return "\(styled(shown(request.id), .faint, if: colors))  \(mark)"
      + "\(styled(foreign(request.client.shownName), .bold, if: colors))\(place): \(title)"
  }

  /// The app and what it would do, where a number stands for the id.
  static func title(_ request: WaitingRequest) -> String { "\(foreign(request.client.shownName)): \(what(request))" }

  /// The same with the mark of a serious one.
  static func marked(_ request: WaitingRequest) -> String { (isSerious(request) ? "! " : "") + title(request) }

  /// Whether it is marked.
  static func isSerious(_ request: WaitingRequest) -> Bool { request.risk == .grave }

  /// What it would do, with the beginning of its text.
  private static func what(_ request: WaitingRequest, _ colors: Bool = false) -> String {
    RequestText.title(request.title, of: request, colors) + excerpt(request)
  }

  /// Its text, the fields of a profile that are warned of, or whom a message is for. What it is is said where it is no post or message:
  /// ` (data: “{}”)`.
  static func excerpt(_ request: WaitingRequest) -> String {
    let warned = request.parts.flatMap { $0.changes ?? [] }.filter { $0.warning != nil }
    let isKnown = request.parts.contains { $0.changes != nil && $0.hasBaseline == true }
    if let first = warned.first { return change(of: first, more: warned.count - 1, isKnown: isKnown) }
    let person = request.method == .signEvent ? nil : request.parts.first { $0.type == .peer }?.npub
    let other = person.map { " (\(shortenedKey($0)))" } ?? ""
    guard let part = request.parts.first(where: { $0.type == .text }), let text = part.text, !text.isEmpty else { return other }
    let quoted = "“\(foreign(text.split(separator: "\n").joined(separator: " "), limit: longestExcerpt))”"
    let label = shown(part.label)
    if plainLabels.contains(label) { return ": \(quoted)\(other)" }
    return " (\(label.hasPrefix("Its reason") ? "reason" : label.lowercased()): \(quoted))\(other)"
  }

  /// A field of a profile that is warned of: ` (“lud16”: “ada@pay.example” → “mallory@pay.example”)`.
  /// - Parameter isKnown: whether it is known what the profile has now.
  private static func change(of field: FieldChange, more: Int, isKnown: Bool) -> String {
    func quoted(_ text: String?) -> String { text.map { "“\(foreign($0, limit: longestExcerpt))”" } ?? "nothing" }
    let rest = more == 0 ? "" : ", and \(more) more field\(more == 1 ? "" : "s") to look at"
    let name = "“\(foreign(field.name, limit: 20))”"
    guard isKnown else { return " (\(name) will be \(quoted(field.after))\(rest))" }
    return " (\(name): \(quoted(field.before)) → \(quoted(field.after))\(rest))"
  }

  /// What the text of a post or message is called.
  private static let plainLabels: Set = ["Text", "Content", "Message", "Comment", "Reaction", "What it says"]
}
