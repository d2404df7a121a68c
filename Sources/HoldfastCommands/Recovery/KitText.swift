import JSON
import TerminalUI

/// Texts about a new kit, for people.
enum KitText {
  /// “3 of 5”, or “2 of the groups 2 of 3, 3 of 5”.
  static func needed(_ kit: JSONValue) -> String {
    let groups = (kit["groups"]?.array ?? []).map { "\(plain($0[0])) of \(plain($0[1]))" }
    return groups.count == 1 ? groups[0] : "\(plain(kit["group_threshold"])) of the groups " + groups.joined(separator: ", ")
  }

  /// The text above the shares of a new kit. The shares themselves are part of no text here.
  static func head(_ result: JSONValue) -> String {
    let kit = result["kit"] ?? .null
    return "Kit \(shown(kit["id"])): \(needed(kit)) restore \(kit["for"]?.string == "vault" ? "this vault" : shown(kit["for"]))."
  }

  /// The text below the shares.
  static func foot(_ result: JSONValue) -> String {
    let kit = result["kit"] ?? .null
    var lines = ["These words are shown once and stored nowhere. Write them down, and with each share write this:", ""]
    lines.append("Kit \(plain(kit["id"])). Enough shares together give \(plain(kit["holds"])).")
    if let npub = kit["npub"]?.string { lines.append("The key's npub is \(printable(npub)).") }
    if kit["code"]?.bool == true { lines.append("In addition to the shares it needs its recovery code, which is on no page.") }
    lines += ["", "To restore it:"]
    for (number, step) in (kit["steps"]?.array ?? []).enumerated() {
      lines.append("\(number + 1). \(plain(step["text"]))")
      if let command = step["command"]?.string { lines += ["", "     " + printable(command, limit: 400), ""] }
    }
    lines += [plain(kit["elsewhere"]), "", "Then test the kit: holdfast recovery test"]
    return lines.joined(separator: "\n")
  }
}
