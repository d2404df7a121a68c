import JSON

extension ResultText {
  static func backup(_ operation: String, _ result: JSONValue, _ now: Int64) -> String {
    switch operation {
    case "backup/create": backupMade(result)
    case "backup/verify": backupContents(result)
    case "backup/restore": backupRestored(result)
    case "backup/list": backups(result, now)
    default: backupPlan(result, now)
    }
  }

  private static func backupMade(_ result: JSONValue) -> String {
    let place =
      result["file"].map { shown($0, limit: 400) } ?? "\(shown(result["name"], limit: 200)) at \(shown(result["to"], limit: 400))"
    return """
      Made \(place): \(plain(result["records"])) records.\(leftOut(result))
      It opens with what opens the vault. Keep it on another machine or medium, and see that it opens: holdfast backup verify FILE
      """
  }

  private static func leftOut(_ result: JSONValue) -> String {
    let count = result["left_out"]?.integer ?? 0
    return count > 0 ? " \(count) bound to this device are not in it." : ""
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
    if !sealed.isEmpty { lines.append("Not looked into, since this does not open them: \(sealed.joined(separator: ", ")).") }
    if result["this_vault"]?.bool == false { lines.append("It is of another vault than the one of this home.") }
    return lines.joined(separator: "\n")
  }

  private static func backupRestored(_ result: JSONValue) -> String {
    let apps = (result["suspended"]?.array ?? []).map { shown($0) }
    let lost = (result["without_key"]?.array ?? []).map { shown($0) }
    var lines = ["Restored to \(shown(result["home"], limit: 400)), as it was on \(moment(result["made"]?.integer ?? 0))."]
    if !apps.isEmpty {
      lines.append(
        "Suspended until you let each go on (holdfast client resume APP), or revoke it: \(apps.joined(separator: ", ")).")
    }
    if !lost.isEmpty { lines.append("Not restored, since their keys never left their device: \(lost.joined(separator: ", ")).") }
    lines.append("Open links, requests that waited, browsers and passkeys of the console were not restored. The log begins anew.")
    lines.append("Next: holdfast up")
    return lines.joined(separator: "\n")
  }

  private static func backups(_ result: JSONValue, _ now: Int64) -> String {
    let list = result["backups"]?.array ?? []
    let tested = "You last opened a backup: \(ago(result["last_tested"]?.integer ?? 0, now: now))."
    if let error = result["error"] { return "The place for backups: \(shown(error, limit: 200)).\n" + tested }
    if list.isEmpty { return "There are no backups by a plan. Begin: holdfast backup schedule --to PLACE\n" + tested }
    var table = TextTable(["MADE", "NAME", "BYTES", ""], whole: [1])
    for entry in list {
      table.add([
        moment(entry["made"]?.integer ?? 0), plain(entry["name"]), plain(entry["size"]),
        entry["verified"]?.bool == true ? "read back" : "",
      ])
    }
    return table.text + "\n" + tested
  }

  private static func backupPlan(_ result: JSONValue, _ now: Int64) -> String {
    guard let plan = result["plan"], !plan.isNull else {
      return "Nothing is backed up by itself. Begin: holdfast backup schedule --to PLACE"
    }
    var lines = [
      "Every \(plain(plan["every"])) to \(shown(plan["to"], limit: 400)), keeping \(plain(plan["keep"])).",
      "Last done: \(ago(plan["last"]?.integer ?? 0, now: now))"
        + (plan["name"].flatMap(\.string).map { " (\(printable($0)))" } ?? ""),
    ]
    if plan["running"]?.bool == true { lines.append("One is being made now.") }
    if let error = plan["last_error"]?.string {
      let failures = plan["failures"]?.integer ?? 0
      lines.append((failures > 0 ? "Failed \(failures) times since: " : "Last time: ") + printable(error, limit: 400))
    }
    return lines.joined(separator: "\n")
  }
}
