import OwnerAPI
import ResponseTexts

/// The programs, sites and places of links that an approval lets in for the first time, as 'request show' says before.
struct NewlyLetIn {
  private let apps: [RequestingApp]

  /// - Parameter requests: those that are approved.
  /// - Returns: nil if none of them is a first one.
  init?(_ requests: [WaitingRequest]) {
    let first = requests.filter { $0.rule == "first-use" }.map(\.client)
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
