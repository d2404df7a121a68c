internal import JSON

extension ResultText {
  /// `slot list`
  static func slots(_ result: JSONValue, _ now: Int64) -> String {
    let slots = result["slots"]?.array ?? []
    var table = TextTable(["ID", "TYPE", "LABEL", "USED", "TESTED", "OPENS"], whole: [5])
    for slot in slots {
      let gate = slot["gate"]?.string.map { " (gate: \(printable($0)))" } ?? ""
      table.add([
        shown(slot["id"]), shown(slot["type"]) + gate, shown(slot["label"]), ago(slot["last_used"]?.integer ?? 0, now: now),
        ago(slot["last_tested"]?.integer ?? 0, now: now), opens(slot),
      ])
    }
    return table.text
  }

  /// `slot add`
  static func slotAdded(_ result: JSONValue) -> String {
    let slot = result["slot"] ?? .null
    return """
      Slot \(shown(slot["id"])) opens the vault now, with a \(shown(slot["type"])): \(opens(slot)).
      Try it once: holdfast slot test \(shown(slot["id"]))
      """
  }

  /// The classes; those of this device alone go with the others of their name.
  private static func opens(_ slot: JSONValue) -> String {
    let names = (slot["opens"]?.array ?? []).compactMap(\.string).filter { !$0.utf8.contains(UInt8(ascii: ",")) }
    if names == ["after-first-unlock"] { return "after-first-unlock: pairings, settings, keys that sign while locked" }
    return names.joined(separator: ", ")
  }
}
