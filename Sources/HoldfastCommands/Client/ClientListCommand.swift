import CommandLine
import OwnerAPI
import ResponseTexts
import TerminalUI

/// `holdfast client list`
enum ClientListCommand: OwnerCommand {
  typealias Operation = AppList

  static let place = Command(
    "list", "List the paired apps",
    discussion: """
      REQUESTS counts what the app sent since it was paired. The signer saves it and LAST SEEN once a minute and when it stops, \
      so after a crash or a power cut the last minute may be missing.
      """)

  static func text(_ answer: AppList.Response, _ reader: Reader) -> String {
    let (paired, unmet) = (answer.clients.filter { !$0.isFirstUse }, answer.clients.count { $0.isFirstUse })
    let others =
      unmet == 0
      ? []
      : [
        "\(unmet == 1 ? "1 program, site or link" : "\(unmet) programs, sites or links") asked and \(unmet == 1 ? "is" : "are") not let in: holdfast local list"
      ]
    if paired.isEmpty { return (["No app is paired. To make a link for one: holdfast pair"] + others).joined(separator: "\n") }
    var table = TextTable(
      ["NAME", "KEY", "IDENTITY", "TRUST", "PAIRED", "LAST SEEN", "REQUESTS"], whole: [1], spare: [4, 6], faint: [1])
    for app in paired {
      table.add([
        app.shownName, AppText.digits(of: app), app.identity, AppText.trust(app),
        date(app.paired), AppText.lastSeen(app, reader.now), "\(app.requests)",
      ])
    }
    return ([table.text(for: reader)] + others).joined(separator: "\n\n")
  }
}
