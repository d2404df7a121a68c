import CommandLine
import JSON
import TerminalUI

/// The rules, for people.
enum PolicyText {
  static func rules(_ result: JSONValue, _ now: Int64) -> String {
    let settings = ResultText.pairs([
      ("New apps", "\(ResultText.shown(result["default_trust"])) trust"),
      ("Follow list", "asked when it drops more than \(ResultText.shown(result["follow_share"])) % of your follows"),
      ("Suspended", result["suspended"]?.bool == true ? "all permissions; everything is asked" : ""),
    ])
    if let rows = result["holds"]?.array { return settings + "\n\n" + holds(rows, of: result) }
    var table = TextTable(["WHAT", "FULL TRUST", "MEDIUM TRUST", "LOW TRUST"])
    for row in result["defaults"]?.array ?? [] {
      table.add([ResultText.plain(row["what"])] + ["full", "medium", "low"].map { ResultText.plain(row[$0]?["verdict"]) })
    }
    return settings + "\n\n" + table.text
  }

  private static func holds(_ rows: [JSONValue], of app: JSONValue) -> String {
    var table = TextTable(["WHAT \(ResultText.shown(app["name"])) ASKS", "ANSWER", "BECAUSE"], whole: [2])
    for row in rows { table.add(["what", "verdict", "reason"].map { ResultText.plain(row[$0]) }) }
    return table.text
  }

  static func explanation(_ result: JSONValue) -> String {
    guard result["requests"] != nil else { return one(result) }
    var lines = [
      """
      \(ResultText.shown(result["requests"])) past requests: \(ResultText.shown(result["same"])) as they were, \
      \(ResultText.shown(result["differ"])) different, \(ResultText.shown(result["depend"])) that depend on a content the log does \
      not keep\(result["cut"]?.bool == true ? "; older ones were not looked at" : "").
      """
    ]
    if let table = table(result["differences"], title: "WOULD BE") { lines.append(table) }
    if let table = table(result["depending"], title: "COULD BE") { lines.append(table) }
    return lines.joined(separator: "\n\n")
  }

  private static func one(_ result: JSONValue) -> String {
    func answer(_ value: JSONValue?) -> String {
      "\(ResultText.shown(value?["verdict"])) (\(ResultText.shown(value?["reason"])))"
    }
    let differs = result["differs"]?.bool == true || result["changed"] != result["now"]
    return ResultText.pairs([
      ("Request", ResultText.shown(result["permission"], limit: 300)), ("App", ResultText.shown(result["name"])),
      ("As it is", answer(result["now"])), ("Changed", differs ? answer(result["changed"]) : ""),
    ])
  }

  private static func table(_ list: JSONValue?, title: String) -> String? {
    guard let list = list?.array, !list.isEmpty else { return nil }
    var table = TextTable(["N", "TIME", "APP", "REQUEST", "WAS", title, "BECAUSE"], whole: [6])
    for entry in list {
      let outcomes = entry["outcomes"]?.array ?? []
      table.add([
        ResultText.plain(entry["sequence"]), ResultText.date(entry["time"]), ResultText.plain(entry["name"]),
        ResultText.plain(entry["permission"]), ResultText.plain(entry["was"]?["verdict"]),
        outcomes.map { ResultText.plain($0["verdict"]) }.joined(separator: " or "),
        outcomes.map { ResultText.plain($0["reason"]) }.joined(separator: "; or "),
      ])
    }
    return table.text
  }
}
