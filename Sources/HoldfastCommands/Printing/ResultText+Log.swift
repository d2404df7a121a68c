import CommandLine
import JSON
import TerminalUI

/// What is said of the log.
extension ResultText {
  static func log(_ result: JSONValue) -> String {
    let list = result["entries"]?.array ?? []
    if list.isEmpty { return "No entry." }
    var table = TextTable(["N", "TIME", "WHAT", "CLIENT", "METHOD", "KIND", "DECISION", "RULE"])
    for entry in list {
      table.add([
        plain(entry["sequence"]), date(entry["time"]), plain(entry["entry"]),
        String(plain(entry["client_name"] ?? entry["client"]).prefix(16)),
        plain(entry["method"]), plain(entry["kind"]), plain(entry["decision"]), plain(entry["rule"]),
      ])
    }
    return table.text
  }

  static func renewed(_ result: JSONValue) -> String {
    let begun = "A new log was begun. The old one is kept in \(shown(result["kept"]))."
    guard result["vouched"]?.bool == false else { return begun }
    let names = (result["suspended"]?.array ?? []).map { shown($0) }
    return """
      \(begun)
      It could not be read, so nobody can say whether the vault is an older copy. Everything stays shut until: holdfast resume
      Suspended: \(names.isEmpty ? "none" : names.joined(separator: ", ")). Let each app go on only if you know it: holdfast client resume
      """
  }

  static func verified(_ result: JSONValue) -> String {
    if result["ok"]?.bool == true {
      let dropped = result["redacted"]?.integer ?? 0
      return "The record is sound: \(shown(result["entries"])) entries, none changed, cut or moved."
        + (dropped > 0 ? " You dropped the content of the first \(dropped)." : "")
        + (result["opened"]?.bool == false ? " They were not opened: hashes and signatures only." : "")
    }
    let after = result["after"].map { " The last entry that is right is of \(date($0))." } ?? ""
    return """
      The record is not what was written: \(shown(result["fault"], limit: 400)).\(after)
      Nothing was changed. Keep a copy of the folder before anything else. Then stop the signer, and put back the folder “log” from a copy,
      or begin a new log: holdfast log renew
      """
  }

  static func proved(_ result: JSONValue) -> String {
    let begins = result["old_size"].map {
      "The log begins with the \(shown($0)) entries whose root is \(shown(result["old_root"]))."
    }
    let first =
      begins
      ?? "Entry \((result["index"]?.integer ?? 0) + 1) is one of \(shown(result["size"])); its leaf is \(shown(result["leaf_hash"]))."
    let path = (result["proof"]?.array ?? []).map { "  " + shown($0) }
    return ([first, "Hashes that lead to the root (--json for a program to check):"] + path + ["", plain(result["checkpoint"])])
      .joined(separator: "\n")
  }

  static func retained(_ result: JSONValue) -> String {
    let dropped =
      result["dropped"].map { dropped in
        "Dropped the content of \(shown(dropped)) entries; \(shown(result["redacted"])) of \(shown(result["entries"])) have none now.\n"
      } ?? ""
    guard let days = result["daily_days"]?.integer else { return dropped + "Content of entries is not dropped by itself." }
    return dropped + "Content of entries older than \(days) days is dropped each day."
  }
}
