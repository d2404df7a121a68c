import CommandLine
import JSON
import TerminalUI

extension ResultText {
  static func pushes(_ result: JSONValue, _ now: Int64) -> String {
    let list = result["subscriptions"]?.array ?? []
    if list.isEmpty { return "No browser is told by Web Push. Begin on the console's page: holdfast console" }
    var table = TextTable(["ID", "NAME", "PUSH SERVICE", "SINCE", "LAST MESSAGE", "TROUBLE"], whole: [0])
    for entry in list {
      table.add([
        plain(entry["id"]), plain(entry["label"]), plain(entry["host"]), date(entry["made"]),
        ago(entry["last_ok"]?.integer ?? 0, now: now), plain(entry["last_error"]),
      ])
    }
    return table.text
  }
}
