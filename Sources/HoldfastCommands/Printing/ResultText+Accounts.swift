import CommandLine
import JSON
import TerminalUI

extension ResultText {
  /// Accounts that were made identities, for people.
  static func taken(_ result: JSONValue) -> String {
    let taken = result["taken"]?.array ?? []
    if taken.isEmpty { return "None was taken: all of them are here." }
    return taken.map { "Taken: account \(shown($0["account"])) as \(shown($0["name"])), \(shown($0["npub"]))" }.joined(
      separator: "\n")
  }

  /// Accounts of words, for people: which were used, and which of them are here.
  static func accounts(_ result: JSONValue) -> String {
    let all = result["accounts"]?.array ?? []
    var lines = all.map { account in
      let state = account["found"]?.bool == true ? "used" : "no event found"
      let here = account["here"]?.string.map { ", here as \(printable($0))" } ?? ", not here"
      return "Account \(shown(account["account"])): \(shown(account["npub"]))  \(state)\(here)"
    }
    lines += (result["unreachable"]?.array ?? []).map { "Not asked: \(shown($0["relay"])) (\(shown($0["why"])))" }
    if (result["relays"]?.array ?? []).isEmpty {
      lines.append("No relay was asked: none is known for this identity. Name them with --relay wss://…")
    } else {
      lines.append("Searched \(shown(result["searched"])) accounts; the last \(shown(result["gap_limit"])) were unknown.")
    }
    if let missing = all.first(where: { $0["here"]?.string == nil }) {
      lines.append("Make an identity of one: holdfast identity derive NAME NEW-NAME --account \(shown(missing["account"]))")
    }
    return lines.joined(separator: "\n")
  }
}
