import CommandLine
import JSON
import TerminalUI

/// What is said of a vault beside its log.
enum VaultText {
  static func checked(_ result: JSONValue) -> String {
    if result["ok"]?.bool == true {
      let tried = ResultText.shown(result["tried_elsewhere"], limit: 400)
      return "The vault is the one the log knows." + (tried.isEmpty ? "" : "\n\(tried) Everything is shut until: holdfast resume")
    }
    return """
      \(ResultText.shown(result["sentence"], limit: 400))
      \(missing(result))
      Put the newer vault.db back, or go on with this one: holdfast vault accept
      """
  }

  static func accepted(_ result: JSONValue) -> String {
    """
    The older vault is accepted, and that is recorded.
    Revoked again: \(names(result["revoked"])). Suspended: \(names(result["suspended"])).
    \(missing(result))
    Do again by hand what is missing. A passphrase that you changed since is the old one again: holdfast slot passphrase. A way to open the
    vault that you removed since opens it again: holdfast slot remove, then holdfast slot rotate.
    No app is served until: holdfast resume
    """
  }

  /// What `vault repair` would do.
  static func plan(_ result: JSONValue) -> String {
    let log = "The log cannot be gone on with: a new one begins, and the old one is kept beside it."
    return (damaged(result) + (result["log_lost"]?.bool == true ? [log] : []) + consequences(result)).joined(separator: "\n")
  }

  static func repaired(_ result: JSONValue) -> String {
    if result["plan"]?.bool == true { return plan(result) + "\nTo go on without it: holdfast vault repair" }
    let kept = ResultText.shown(result["log_kept"], limit: 400)
    let log = result["log_kept"]?.string == nil ? "" : "\nA new log begins; the old one is kept at \(kept)."
    return """
      \(damaged(result).joined(separator: "\n"))
      The vault goes on without it, and that is recorded. The damaged file is kept at \(ResultText.shown(result["kept"], limit: 400)).\(log)
      \(consequences(result).joined(separator: "\n"))
      No app is served until: holdfast resume
      """
  }

  private static func damaged(_ result: JSONValue) -> [String] {
    (result["damaged"]?.array ?? []).map { loss in
      let of = loss["of"]?.string == nil ? "" : " of “\(ResultText.shown(loss["of"]))”"
      return "\(ResultText.shown(loss["kind"]))\(of): \(ResultText.shown(loss["meaning"], limit: 400))"
    }
  }

  private static func consequences(_ result: JSONValue) -> [String] {
    var lines: [String] = []
    if result["doubt"]?.string != nil {
      lines = [
        ResultText.shown(result["doubt"], limit: 400)
          + " So apps are asked for everything, and the settings are the strictest there are. A way to open the vault that you removed may"
          + " be back: holdfast slot list, slot remove, then holdfast slot rotate."
      ]
    }
    return lines
      + [
        ("gone", "Identities that are lost"), ("renamed", "Identities under made-up names"),
        ("derived", "Identities whose keys came again from their words"), ("ended", "Apps that have to be paired anew"),
        ("revoked", "Apps that you revoked, by the log"), ("suspended", "Apps that are suspended"),
        ("reset", "Apps that are asked for everything"),
      ].compactMap { name, words in
        (result[name]?.array ?? []).isEmpty ? nil : "\(words): \(names(result[name]))."
      }
  }

  private static func missing(_ result: JSONValue) -> String {
    let entries = result["missing"]?.array ?? []
    guard !entries.isEmpty else {
      return "The log names no change to apps, keys or ways to open the vault that is missing in it."
    }
    var table = TextTable(["TIME", "WHAT", "APP", "IDENTITY", "DETAIL"])
    for entry in entries {
      table.add([
        ResultText.date(entry["time"]), change(ResultText.plain(entry["entry"])),
        String(ResultText.plain(entry["client_name"] ?? entry["client"]).prefix(16)), ResultText.plain(entry["identity"]),
        ResultText.plain(entry["rule"]),
      ])
    }
    return "The log has these changes to apps, keys and ways to open the vault, which are missing in it:\n" + table.text
  }

  /// An entry's name in the log in words: "passphraseChanged" is "passphrase changed".
  private static func change(_ name: String) -> String {
    name.reduce(into: "") { words, letter in words += letter.isUppercase ? " " + letter.lowercased() : String(letter) }
  }

  private static func names(_ list: JSONValue?) -> String {
    let names = (list?.array ?? []).map { ResultText.shown($0) }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
