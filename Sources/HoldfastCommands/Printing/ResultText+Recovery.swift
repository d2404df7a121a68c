import CommandLine
import JSON
import TerminalUI

/// `holdfast recovery …` for people.
extension ResultText {
  static func kits(_ result: JSONValue) -> String {
    let list = result["kits"]?.array ?? []
    if list.isEmpty {
      return "There is no recovery kit. Make one: holdfast recovery create --threshold 3 --shares 5 --out kit"
    }
    var table = TextTable(["KIT", "FOR", "NEEDED", "MADE", "LAST TESTED", "LABEL"])
    for kit in list {
      table.add([
        plain(kit["id"]), plain(kit["for"]), needed(kit), date(kit["made"]),
        kit["last_tested"]?.integer.map(moment) ?? (kit["handed_out"]?.bool == false ? "never; pages not confirmed" : "never"),
        plain(kit["label"]),
      ])
    }
    return table.text
  }

  /// “3 of 5”, or “2 of the groups 2 of 3, 3 of 5”.
  static func needed(_ kit: JSONValue) -> String {
    let groups = (kit["groups"]?.array ?? []).map { "\(plain($0[0])) of \(plain($0[1]))" }
    return groups.count == 1 ? groups[0] : "\(plain(kit["group_threshold"])) of the groups " + groups.joined(separator: ", ")
  }

  static func kitTested(_ result: JSONValue) -> String {
    let what = result["restores"]?.string == "vault" ? "open this vault" : "give the key of \(shown(result["restores"]))"
    let note = result["noted"]?.bool == false ? " The kit is not in this vault's list; it works all the same." : ""
    let without = (result["without"]?.array ?? []).compactMap(\.string).map { printable($0) }
    let bound =
      without.isEmpty
      ? "" : " Keys that are bound to this device come back with no kit of the vault: \(without.joined(separator: ", "))."
    return """
      These shares of kit \(shown(result["kit"])) \(what): a restore from them was done and thrown away. Nothing was shown or kept but \
      the day.\(note)\(bound)
      """
  }

  static func kitRemoved(_ result: JSONValue) -> String {
    result["still_restores"]?.bool == true
      ? "Kit \(shown(result["removed"])) is forgotten here. Its shares still give the key: destroy them."
      : "Kit \(shown(result["removed"])) opens this vault no more. Its shares can be destroyed."
  }

  static func kitRestored(_ result: JSONValue) -> String {
    if let name = result["restored"]?.string, name != "vault" {
      let proof = result["compared"]?.bool == false ? " Nobody compared it with a page; you said that it is the right one." : ""
      return "The key is back under the name \(printable(name)): \(shown(result["npub"])).\(proof)" + leftOut(result)
        + "\nNext: start the signer (holdfast up) unless it runs, and give an app a link: holdfast pair --identity \(printable(name))"
    }
    return
      "The vault opens with the new passphrase now; the old one does not any more. Start the signer, unless it runs: holdfast up"
      + leftOut(result)
  }

  /// Shares that did not belong to the others.
  private static func leftOut(_ result: JSONValue) -> String {
    let numbers = (result["left_out"]?.array ?? []).compactMap(\.integer).map(String.init)
    guard !numbers.isEmpty else { return "" }
    let subject = numbers.count == 1 ? "Share \(numbers[0]) was" : "Shares \(numbers.joined(separator: ", ")) were"
    return "\n\(subject) left out: forged, or of another kit."
  }

  /// What stands above the shares of a new kit. They are no part of any text here.
  static func kitHead(_ result: JSONValue) -> String {
    let kit = result["kit"] ?? .null
    return "Kit \(shown(kit["id"])): \(needed(kit)) restore \(kit["for"]?.string == "vault" ? "this vault" : shown(kit["for"]))."
  }

  /// What stands below them.
  static func kitFoot(_ result: JSONValue) -> String {
    let kit = result["kit"] ?? .null
    var lines = ["These words are shown once and kept nowhere. Write them down, and with each share this:", ""]
    lines.append("Kit \(plain(kit["id"])). Enough shares together give \(plain(kit["holds"])).")
    if let npub = kit["npub"]?.string { lines.append("The key's npub is \(printable(npub)).") }
    if kit["code"]?.bool == true { lines.append("Beside the shares it needs its recovery code, which stands on no page.") }
    lines += ["", "To bring it back:"]
    for (number, step) in (kit["steps"]?.array ?? []).enumerated() {
      lines.append("\(number + 1). \(plain(step["text"]))")
      if let command = step["command"]?.string { lines += ["", "     " + printable(command, limit: 400), ""] }
    }
    lines += [plain(kit["elsewhere"]), "", "Then try it: holdfast recovery test"]
    return lines.joined(separator: "\n")
  }
}
