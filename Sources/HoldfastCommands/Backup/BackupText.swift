import CommandLine
import JSON
import OwnerAPI
import TerminalUI

/// The results of backup commands, for people.
enum BackupText {
  static func text(_ operation: String, _ result: JSONValue, _ now: Int64) -> String {
    switch operation {
    case BackupCreate.properties.name: backupMade(result)
    case BackupVerify.properties.name: backupContents(result)
    case restoreOperation: backupRestored(result)
    case BackupList.properties.name: backups(result, now)
    default: backupPlan(result, now)
    }
  }

  private static func backupMade(_ result: JSONValue) -> String {
    let place =
      result["file"].map { shown($0, limit: 400) } ?? "\(shown(result["name"], limit: 200)) at \(shown(result["to"], limit: 400))"
    return """
      Made \(place): \(plain(result["records"])) records.\(leftOut(result))
      It opens with what opens the vault. Keep it on another machine or medium, and test it: holdfast backup verify FILE
      \(beside(result))
      """
  }

  private static func beside(_ result: JSONValue) -> String {
    if let error = result["revocations_error"]?.string {
      return "The list of revoked apps could not be written next to it: \(printable(error, limit: 300))"
    }
    return "The sealed list of revoked apps (…-revoked.hfr) lies next to it. Keep the two files together."
  }

  private static func leftOut(_ result: JSONValue) -> String {
    let count = result["left_out"]?.integer ?? 0
    return count > 0 ? " It leaves out \(count) that are bound to this device." : ""
  }

  private static func backupContents(_ result: JSONValue) -> String {
    let identities = (result["identities"]?.array ?? []).map { "  \(shown($0["name"]))  \(plain($0["npub"]))" }
    let apps = (result["apps"]?.array ?? []).map { shown($0) }
    let sealed = (result["sealed"]?.members ?? []).map { "\($0.value.integer ?? 0) of class \(printable($0.key))" }
    var lines = [
      "This backup is whole and opens. Made \(moment(result["made"]?.integer ?? 0)), number \(plain(result["number"])).\(leftOut(result))"
    ]
    lines.append(identities.isEmpty ? "Identities: none" : "Identities:\n" + identities.joined(separator: "\n"))
    lines.append("Apps: " + (apps.isEmpty ? "none" : apps.joined(separator: ", ")))
    let ways = (result["slots"]?.array ?? []).map(way)
    if !ways.isEmpty { lines.append("It opens with:\n" + ways.map { "  " + $0 }.joined(separator: "\n")) }
    if !sealed.isEmpty { lines.append("Not checked, because this does not open them: \(sealed.joined(separator: ", ")).") }
    if result["this_vault"]?.bool == false { lines.append("It comes from another vault than this home's.") }
    return lines.joined(separator: "\n")
  }

  /// `a passphrase, “at home”`
  private static func way(_ slot: JSONValue) -> String {
    let type = slot["type"]?.string ?? ""
    let words = [
      "passphrase": "a passphrase", "recovery": "shares of a recovery kit",
      "passkey": "a passkey, in the console after the restore",
      "token": "a token", "keyring": "the keyring of the desktop where it was made",
    ]
    let label = slot["label"]?.string ?? ""
    return (words[type] ?? printable(type)) + (label.isEmpty ? "" : ", “\(printable(label))”")
  }

  /// Says that a backup is not the newest one.
  /// - Parameters:
  ///   - made: when it was made, in seconds since 1970, as is `newer`.
  ///   - name: the name of the newer one.
  static func newerBackup(made: Int64, newer: Int64, name: String) -> String {
    "This backup was made on \(moment(made)). A newer one, made on \(moment(newer)), lies next to it: \(printable(name, limit: 200))."
  }

  /// The result of reading the list of revocations.
  private static func revocations(_ result: JSONValue) -> [String] {
    guard let found = result["revocations"] else { return [] }
    let gone = (result["revoked"]?.array ?? []).map { shown($0) }
    let asOf = found["as_of"]?.integer.map { " It was written on \(moment($0))." } ?? ""
    let careful = "Check each app below before you resume it."
    var lines: [String] = []
    switch found["state"]?.string {
    case "read": lines.append("The list of revoked apps was next to the backup.\(asOf)")
    case "missing": lines.append("There was no list of revoked apps next to the backup. \(careful)")
    case "older":
      lines.append(
        "The list of revoked apps is older than the backups next to it: somebody may have put an old list there.\(asOf) \(careful)"
      )
    case "other-vault": lines.append("The list of revoked apps next to the backup belongs to another vault. \(careful)")
    case "unknown": lines.append("This backup was made by an earlier Holdfast without lists of revoked apps. \(careful)")
    case "unreachable": lines.append("The list of revoked apps could not be fetched. \(careful)")
    default: lines.append("The list of revoked apps is damaged or forged, and was ignored. \(careful)")
    }
    if !gone.isEmpty { lines.append("Revoked, and not restored: \(gone.joined(separator: ", ")).") }
    return lines
  }

  private static func backupRestored(_ result: JSONValue) -> String {
    let apps = (result["suspended"]?.array ?? []).map { shown($0) }
    let lost = (result["without_key"]?.array ?? []).map { shown($0) }
    var lines = ["Restored to \(shown(result["home"], limit: 400)), as it was on \(moment(result["made"]?.integer ?? 0))."]
    lines += revocations(result)
    if !apps.isEmpty {
      lines.append(
        "Paused until you resume each (holdfast client resume APP) or revoke it: \(apps.joined(separator: ", ")).")
    }
    if !lost.isEmpty {
      lines.append("Not restored, because their keys never left their device: \(lost.joined(separator: ", ")).")
    }
    if let shares = result["offered"]?.integer, shares > 0 {
      lines.append("Shares that you keep for others stay here until you accept them again: holdfast guardian held")
    }
    lines.append("Links, waiting requests, browser sessions and the console's passkeys were not restored. A new log begins.")
    lines.append("Next: holdfast up")
    return lines.joined(separator: "\n")
  }

  private static func backups(_ result: JSONValue, _ now: Int64) -> String {
    let list = result["backups"]?.array ?? []
    guard let last = result["last_tested"] else { return list.isEmpty ? "There are no backups." : table(list) }
    let tested = "You last opened a backup: \(ago(last.integer ?? 0, now: now))."
    if let error = result["error"] { return "The place for backups: \(shown(error, limit: 200)).\n" + tested }
    if list.isEmpty { return "There are no scheduled backups. To start: holdfast backup schedule --to PLACE\n" + tested }
    return table(list) + "\n" + tested
  }

  private static func table(_ list: [JSONValue]) -> String {
    var table = TextTable(["MADE", "NAME", "BYTES", ""], whole: [1])
    for entry in list {
      table.add([
        moment(entry["made"]?.integer ?? 0), plain(entry["name"]), plain(entry["size"]),
        entry["verified"]?.bool == true ? "read back" : "",
      ])
    }
    return table.text
  }

  private static func backupPlan(_ result: JSONValue, _ now: Int64) -> String {
    guard let plan = result["plan"], !plan.isNull else {
      return "No backups are scheduled. To start: holdfast backup schedule --to PLACE"
    }
    var lines = [
      "Every \(plain(plan["every"])) to \(shown(plan["to"], limit: 400)), keeping \(plain(plan["keep"])).",
      "Last backup: \(ago(plan["last"]?.integer ?? 0, now: now))"
        + (plan["name"].flatMap(\.string).map { " (\(printable($0)))" } ?? ""),
    ]
    if plan["running"]?.bool == true { lines.append("A backup is being made now.") }
    if let error = plan["last_error"]?.string {
      let failures = plan["failures"]?.integer ?? 0
      lines.append((failures > 0 ? "Failed \(failures) times since: " : "Last error: ") + printable(error, limit: 400))
    }
    if let error = plan["revocations_error"]?.string {
      lines.append("The list of revoked apps could not be written there: \(printable(error, limit: 400))")
    }
    return lines.joined(separator: "\n")
  }
}
