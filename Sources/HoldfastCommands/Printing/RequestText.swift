import CommandLine
import JSON
import TerminalUI

/// Waiting requests in words. What apps wrote stands behind a bar or in quotes, so that it cannot pass for the signer's own words.
enum RequestText {
  /// The most characters of one line of an app's text.
  private static let longestLine = 2000

  static func list(_ result: JSONValue, _ now: Int64) -> String {
    let list = result["requests"]?.array ?? []
    let unread = result["unread"]?.bool == true ? "What waited before the start is shown after: holdfast unlock" : nil
    if list.isEmpty { return unread ?? "Nothing waits for you." }
    return (unread.map { $0 + "\n\n" } ?? "") + list.map { summary($0, now) }.joined(separator: "\n")
      + "\n\nLook closer with: holdfast request show ID"
      + "\nAnswer with: holdfast request approve ID, or: holdfast request deny ID"
  }

  /// Three lines about one request.
  static func summary(_ entry: JSONValue, _ now: Int64) -> String {
    """
    \(shown(entry["id"]))  \(shown(entry["client"]?["name"])): \(shown(entry["title"]))
        would \(shown(entry["summary"], limit: 400))
        as \(shown(entry["identity"]?["name"])), \(ago(entry["received"]?.integer ?? 0, now: now)); \
    asked because: \(shown(entry["reason"]))
    """
  }

  /// Everything but the raw text.
  static func account(_ entry: JSONValue, _ now: Int64) -> String {
    var lines = ["\(shown(entry["id"]))  \(shown(entry["title"]))", ""]
    lines += row("App", shown(entry["client"]?["name"]) + " (\(shown(entry["client"]?["pubkey"], limit: 16)))")
    lines += row("Says it is", shown(entry["client"]?["url"]))
    lines += row("Identity", shown(entry["identity"]?["name"]))
    lines += row("Asked", ago(entry["received"]?.integer ?? 0, now: now) + repeats(entry["repeats"]?.integer ?? 0))
    lines += row("Because", shown(entry["reason"]))
    lines.append("")
    lines += (entry["parts"]?.array ?? []).flatMap(part)
    let id = shown(entry["id"])
    lines += ["", "To the letter: holdfast request show \(id) --json"]
    lines.append("Answer with: holdfast request approve \(id), or: holdfast request deny \(id)")
    return lines.joined(separator: "\n")
  }

  /// What came of an answer to one or more requests.
  static func answered(_ result: JSONValue, _ verb: String) -> String {
    func count(_ member: String) -> Int { result[member]?.array?.count ?? 0 }
    var lines = [count("answered") == 1 ? "\(verb)." : "\(verb): \(count("answered")) requests."]
    if count("also") > 0 { lines.append("By the rule you just made, \(count("also")) more went on.") }
    for missing in result["missing"]?.array ?? [] {
      lines.append("Not answered: \(shown(missing["id"])): \(shown(missing["why"])).")
    }
    return lines.joined(separator: "\n")
  }

  private static func repeats(_ count: Int64) -> String { count > 0 ? ", \(count + 1) times" : "" }

  private static func part(_ part: JSONValue) -> [String] {
    let label = shown(part["label"])
    switch part["type"]?.string {
    case "text":
      let text = (part["text"]?.string ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      let cut = part["truncated"]?.bool == true ? ["    … and more: see it to the letter"] : []
      return ["  \(label)"] + text.map { "    | " + printable(String($0), limit: longestLine) } + cut
    case "peer": return row(label, shown(part["npub"]) + (part["self"]?.bool == true ? " (yourself)" : ""))
    case "url":
      return row(label, [shown(part["method"]), shown(part["url"], limit: 400)].filter { !$0.isEmpty }.joined(separator: " "))
    case "relay": return row(label, shown(part["url"], limit: 400))
    case "reference": return row(label, shown(part["id"]))
    case "date": return row(label, part["time"]?.integer.map(moment) ?? "")
    case "fact": return row(label, shown(part["value"], limit: 400))
    case "warning": return ["  ! " + shown(part["text"], limit: 400)]
    case "list-diff": return listChange(label, part)
    case "field-diff": return fieldChange(label, part)
    default: return []
    }
  }

  private static func listChange(_ label: String, _ part: JSONValue) -> [String] {
    let (added, removed) = (part["added_count"]?.integer ?? 0, part["removed_count"]?.integer ?? 0)
    let isKnown = part["baseline"]?.bool == true
    let counts = isKnown ? "\(added) added, \(removed) removed, \(part["kept"]?.integer ?? 0) kept" : "\(added) in all"
    return row(label, counts) + (isKnown ? entries(part["removed"], "-", removed) : []) + entries(part["added"], "+", added)
  }

  private static func entries(_ list: JSONValue?, _ sign: String, _ count: Int64) -> [String] {
    let shownEntries = (list?.array ?? []).map { "    \(sign) " + shown($0["text"]) }
    let rest = count.subtractingReportingOverflow(Int64(shownEntries.count)).partialValue
    return shownEntries + (rest > 0 ? ["    \(sign) … and \(rest) more"] : [])
  }

  private static func fieldChange(_ label: String, _ part: JSONValue) -> [String] {
    ["  \(label)"]
      + (part["fields"]?.array ?? []).flatMap { field in
        let before = field["before"]?.string.map { ["    \(shown(field["name"])) was:     “\(printable($0, limit: 400))”"] } ?? []
        let after = field["after"]?.string.map { "“\(printable($0, limit: 400))”" } ?? "nothing, it is removed"
        return before + ["    \(shown(field["name"])) will be: \(after)"]
      }
  }

  private static func row(_ name: String, _ value: String) -> [String] {
    value.isEmpty ? [] : ["  " + name.padded(to: 20) + value]
  }

  private static func shown(_ value: JSONValue?, limit: Int = 200) -> String { printable(value?.string ?? "", limit: limit) }
}
