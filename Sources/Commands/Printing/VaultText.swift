internal import JSON

/// What is said of a vault beside its log.
enum VaultText {
  static func checked(_ result: JSONValue) -> String {
    if result["ok"]?.bool == true { return "The vault is the one the log knows." }
    return ResultText.shown(result["sentence"], limit: 400) + "\n" + missing(result)
      + "\nPut the newer vault.db back; or go on with this one: holdfast vault accept"
  }

  static func accepted(_ result: JSONValue) -> String {
    """
    The older vault is accepted, and that is recorded. Everything stays shut until: holdfast resume
    Revoked again: \(names(result["revoked"])). Suspended: \(names(result["suspended"])).
    \(missing(result))
    Look through these, and do again what is missing: above all passphrases, and ways to open the vault that you had removed.
    """
  }

  private static func missing(_ result: JSONValue) -> String {
    let entries = result["missing"]?.array ?? []
    guard !entries.isEmpty else { return "The log tells of no change that is missing." }
    var table = TextTable(["TIME", "WHAT", "CLIENT", "IDENTITY", "DETAIL"])
    for entry in entries {
      table.add([
        ResultText.date(entry["time"]), ResultText.plain(entry["entry"]),
        String(ResultText.plain(entry["client_name"] ?? entry["client"]).prefix(16)), ResultText.plain(entry["identity"]),
        ResultText.plain(entry["rule"]),
      ])
    }
    return "Missing, by the log:\n" + table.text
  }

  private static func names(_ list: JSONValue?) -> String {
    let names = (list?.array ?? []).map { ResultText.shown($0) }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
