import OwnerAPI
import ResponseTexts
import TerminalUI

/// A waiting request in one line, the same in every list: its id, a mark if it is serious, its app, and what it would do.
enum RequestLine {
  /// How much of a request's text stands in its line, in characters.
  private static let longestExcerpt = 40

  /// The line of a request in a list of requests to answer.
  static func text(_ request: WaitingRequest) -> String { heading(request, what(request)) }

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
  private static func what(_ request: WaitingRequest) -> String {
    let text = request.parts.first { $0.type == .text }?.text ?? ""
    return foreign(request.title) + (text.isEmpty ? "" : " “\(foreign(text, limit: longestExcerpt))”")
  }
}
