import CommandLine
import OwnerAPI
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
    if answer.clients.isEmpty { return "No app is paired. To make a link for one: holdfast pair" }
    var table = TextTable(["NAME", "KEY", "IDENTITY", "TRUST", "PAIRED", "LAST SEEN", "REQUESTS"], whole: [1], spare: [4, 6])
    for app in answer.clients {
      table.add([
        app.name, AppText.digits(of: app), app.identity, AppText.trust(app),
        date(app.paired), app.requests == 0 ? "never" : ago(app.lastSeen, now: reader.now), "\(app.requests)",
      ])
    }
    return table.text(within: reader.columns)
  }
}
