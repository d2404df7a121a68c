import CommandLine
import JSON
import TerminalUI

extension ResultText {
  /// `slot list`
  static func slots(_ result: JSONValue, _ now: Int64) -> String {
    let slots = result["slots"]?.array ?? []
    var table = TextTable(["ID", "TYPE", "LABEL", "LAST WORKED", "OPENS"], whole: [4])
    for slot in slots {
      let gate = slot["gate"]?.string.map { " (gate: \(printable($0)))" } ?? ""
      table.add([
        shown(slot["id"]), shown(slot["type"]) + gate, shown(slot["label"]), worked(slot, now), opens(slot),
      ])
    }
    return table.text
  }

  /// When a slot or kit was last seen to do what it is for: an unlocking by it is as good as a test.
  static func worked(_ entry: JSONValue, _ now: Int64) -> String {
    let (used, tested) = (entry["last_used"]?.integer ?? 0, entry["last_tested"]?.integer ?? 0)
    guard max(used, tested) > 0 else { return entry["last_used"] == nil ? "never tested" : "never used or tested" }
    // A test is a use, too: it is the test that is said then.
    return tested >= used ? "tested \(since(tested, now))" : "used \(since(used, now))"
  }

  private static func since(_ time: Int64, _ now: Int64) -> String {
    let text = ago(time, now: now)
    return text == "now" ? "just now" : text
  }

  /// `slot add`
  static func slotAdded(_ result: JSONValue) -> String {
    let slot = result["slot"] ?? .null
    let what = slot["type"] == "keyring" ? "the desktop's keyring" : "a \(shown(slot["type"]))"
    return """
      Slot \(shown(slot["id"])) is made: \(what). It opens \(opens(slot)).
      Try it once: holdfast slot test \(shown(slot["id"])) \(option(slot["type"]))
      """
  }

  /// `slot test`
  static func slotTested(_ result: JSONValue) -> String {
    ["It opens: slot \(shown(result["id"])), \(kind(result)).", absent(result)].compactMap { $0 }.joined(separator: "\n")
  }

  /// `unlock`
  static func unlocked(_ result: JSONValue) -> String {
    if result["vault_damaged"]?.string != nil {
      return "Unlocked, to look and to save what is whole: nothing is signed. See what is lost: holdfast vault repair --plan"
    }
    let suspended =
      result["suspended"]?.bool == true
      ? "Unlocked. All permissions are still suspended: every use of a key asks you, until: holdfast resume" : "Unlocked."
    return [suspended, absent(result)].compactMap { $0 }.joined(separator: "\n")
  }

  /// The tokens that were not there while another opened; nil when all were.
  private static func absent(_ result: JSONValue) -> String? {
    let list = (result["absent"]?.array ?? []).map { shown($0["why"], limit: 400) }
    return list.isEmpty ? nil : list.joined(separator: "\n")
  }

  /// Its type and what its owner calls it.
  static func kind(_ slot: JSONValue) -> String {
    let label = shown(slot["label"])
    return shown(slot["type"]) + (label.isEmpty ? "" : " “\(label)”")
  }

  /// What shows a slot of a type.
  private static func option(_ type: JSONValue?) -> String {
    switch type?.string {
    case "token"?: "--token"
    case "keyring"?: "--keyring"
    case "recovery"?: "--shares-file FILE"
    default: ""
    }
  }

  /// What it opens, for a person: by its type, and what it still lacks. Classes of this device alone go with the others of their name.
  private static func opens(_ slot: JSONValue) -> String {
    func bases(_ member: String) -> [String] {
      (slot[member]?.array ?? []).map { shown($0) }.filter { !$0.utf8.contains(UInt8(ascii: ",")) }
    }
    let lacks = bases("lacks")
    let missing = lacks.isEmpty ? "" : "; not yet: " + lacks.joined(separator: ", ")
    switch slot["type"]?.string {
    case "passphrase"?, "token"?: return "all but what asks for a passkey" + missing
    case "passkey"?: return "all but what asks for a passphrase or PIN" + missing
    case "recovery"?: return "all that may leave this device" + missing
    case "keyring"?: return "what stays open while locked, no other key" + missing
    default: return bases("opens").joined(separator: ", ")
    }
  }
}
