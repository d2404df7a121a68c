import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// The programs, sites and places of links that an approval lets in for the first time, as 'request show' says before.
struct NewlyLetIn {
  private let apps: [RequestingApp]

  /// Looks at the requests before they are answered: later they wait no more.
  /// - Returns: nil if none of them is a first one, or if nobody reads it.
  init?(_ answer: RequestAnswer, _ line: Invocation) {
    guard !line.has("json"), let result = try? askDaemonWhole(RequestList.call(.init()), home(line)),
      let waiting = try? RequestList.answer(result).requests
    else { return nil }
    self.init(answer, of: waiting)
  }

  /// - Parameter waiting: the requests that wait.
  init?(_ answer: RequestAnswer, of waiting: [WaitingRequest]) {
    let first = answer.meant(among: waiting).filter { $0.rule == "first-use" }.map(\.client)
    apps = first.enumerated().filter { index, app in first.firstIndex { $0.pubkey == app.pubkey } == index }.map(\.element)
    if apps.isEmpty { return nil }
  }

  /// A line for each.
  var text: String {
    apps.map { app in
      "\(quoted(app.shownName)) is let in: from now on its trust and your rules decide what it asks. "
        + "To see them: holdfast client show \(app.typed)"
    }.joined(separator: "\n")
  }
}
