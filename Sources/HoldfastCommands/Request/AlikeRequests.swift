import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `--all-like ID`: the waiting requests that are like a named one.
enum AlikeRequests {
  /// - Returns: all that can be answered together with the named one, oldest first.
  /// - Throws: if no request has that id, and if it is serious.
  static func of(_ id: String, _ line: Invocation) throws(CommandError) -> [WaitingRequest] {
    var meant = RequestShow.Request()
    meant.id = id
    let named = try RequestShow.answer(try performWhole(RequestShow.call(meant), line)).request.id
    let waiting = try RequestList.answer(try performWhole(RequestList.call(.init()), line)).requests
    let alike = of(named, in: waiting)
    guard !alike.isEmpty else {
      throw CommandError(.notFound, "No waiting request has that id.", hint: "See: holdfast request list")
    }
    guard !alike.contains(where: { $0.id == named && RequestLine.isSerious($0) }) else {
      throw CommandError(
        .usage, "This request is serious, and serious ones are answered one by one. Nothing was answered.",
        hint: "To read it: holdfast request show \(shown(named)). To answer it: holdfast \(line.name) \(shown(named))")
    }
    if alike.count == 1, !line.has("json") { Output.warning(suggested(line).text(whyAlone(named, in: waiting, line.name))) }
    return alike
  }

  /// - Parameter id: a whole one.
  /// - Returns: empty if no request has that id.
  static func of(_ id: String, in waiting: [WaitingRequest]) -> [WaitingRequest] {
    guard let named = waiting.first(where: { $0.id == id }) else { return [] }
    guard let batch = named.batch else { return [named] }
    return waiting.filter { $0.batch == batch }
  }

  /// Says why a request is like no other one that waits. How all of its app are answered is not said of what is answered one by one: that
  /// would be a wider answer than the one that was meant.
  /// - Parameter command: the words of the command, such as `request approve`.
  static func whyAlone(_ id: String, in waiting: [WaitingRequest], _ command: String) -> String {
    guard let named = waiting.first(where: { $0.id == id }) else { return "" }
    guard named.batch != nil else {
      let answered = command == "request deny" ? "denied" : "approved"
      return "This answers 1 request: requests like this one are \(answered) one by one."
    }
    let why = "This answers 1 request: no other waiting request is of the same app and kind."
    let ofApp = waiting.count { $0.client.signer == named.client.signer }
    guard ofApp > 1 else { return why }
    return why + " To answer all \(ofApp) of \(quoted(named.client.shownName)): holdfast \(command) --app \(named.client.typed)"
  }
}
