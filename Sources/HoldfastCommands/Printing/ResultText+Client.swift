import CommandLine
import JSON
import TerminalUI

/// What one app may do, for people.
extension ResultText {
  static func client(_ result: JSONValue, _ now: Int64) -> String {
    pairs([
      ("Name", shown(result["name"])), ("Key", shown(result["pubkey"])), ("Identity", shown(result["identity"])),
      ("Trust", shown(result["trust"]) + (result["suspended"]?.bool == true ? ", suspended: everything is asked" : "")),
      ("Address", shown(result["url"])), ("Asked for", wishes(result)), ("Your rules", rules(result, now)),
      ("Limits", limits(result)), ("Budgets", budgets(result)), ("Relays", list(result["relays"])),
      ("Paired", date(result["paired"])), ("Last seen", ago(result["last_seen"]?.integer ?? 0, now: now)),
      ("Requests", shown(result["requests"])), ("Long answer", longAnswer(result["long_answer"], now)),
    ])
  }

  /// An answer that not every library reads.
  private static func longAnswer(_ answer: JSONValue?, _ now: Int64) -> String {
    guard let bytes = answer?["bytes"]?.integer, let at = answer?["at"]?.integer else { return "" }
    return
      "\(bytes) bytes, \(ago(at, now: now)): an app made with rust-nostr 0.45.1 or older cannot read an answer over 65535 bytes"
  }

  /// What it asked to be allowed, against what it would be told.
  private static func wishes(_ result: JSONValue) -> String {
    (result["requested"]?.array ?? []).map {
      "\(shown($0["permission"], limit: 300)): \(shown($0["verdict"])) (\(shown($0["reason"])))"
    }.joined(separator: "\n")
  }

  private static func rules(_ result: JSONValue, _ now: Int64) -> String {
    (result["rules"]?.array ?? []).map { rule in
      let end = rule["expires"]?.integer.map { " for another \(TimeSpan.words(max(0, $0 - now)))" } ?? ""
      return "\(shown(rule["verdict"])) \(shown(rule["permission"], limit: 300))\(end)"
    }.joined(separator: "\n")
  }

  private static func limits(_ result: JSONValue) -> String {
    [("per_minute", "a minute"), ("per_hour", "an hour"), ("per_day", "a day")].compactMap { member, words in
      result["limits"]?[member]?.integer.map { "\($0) \(words)" }
    }.joined(separator: ", ")
  }

  private static func budgets(_ result: JSONValue) -> String {
    (result["budgets"]?.array ?? []).map {
      "\(shown($0["permission"])): \(shown($0["used"])) of \(shown($0["count"])) used in \(shown($0["period"]))"
    }.joined(separator: "\n")
  }
}
