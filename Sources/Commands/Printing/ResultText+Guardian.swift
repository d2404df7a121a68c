internal import JSON

/// `holdfast guardian …` for people.
extension ResultText {
  static func guardians(_ result: JSONValue) -> String {
    let list = result["guardians"]?.array ?? []
    if list.isEmpty { return "You have no guardian. Make a kit, then: holdfast guardian add NPUB --share-file FILE" }
    var table = TextTable(["NAME", "GUARDIAN", "KIT", "SHARE", "SENT", "KEPT SINCE"])
    for one in list {
      table.add([
        plain(one["id"]), plain(one["npub"]), plain(one["kit"]), plain(one["share"]), date(one["sent"]),
        one["since"]?.integer.map(moment) ?? "not yet confirmed",
      ])
    }
    return table.text
  }

  static func heldShares(_ result: JSONValue) -> String {
    let list = result["held"]?.array ?? []
    let end =
      result["listening"]?.bool == true ? "" : "\nNobody can hand you a share now; to allow it: holdfast guardian listen on"
    if list.isEmpty { return "You keep no share for anybody." + end }
    var table = TextTable(["NAME", "OWNER", "KIT", "SINCE", "WAITING TIME", "REQUESTS"])
    for one in list {
      table.add([
        plain(one["id"]), plain(one["from"]), plain(one["kit"]), date(one["since"]), "\((one["delay"]?.integer ?? 0) / 3600) h",
        plain(one["requests"]),
      ])
    }
    return table.text + end
  }

  static func shareRequests(_ result: JSONValue) -> String {
    let list = (result["requests"] ?? result["asked"])?.array ?? []
    if list.isEmpty { return "Nobody asks for a share." }
    return list.map { shareRequest($0) }.joined(separator: "\n\n")
  }

  static func shareRequest(_ one: JSONValue) -> String {
    pairs([
      (
        "Request",
        shown(one["id"])
          + (one["mine"]?.bool == true ? " (for YOUR share; not you? holdfast guardian cancel \(shown(one["id"])))" : "")
      ),
      ("Kit", shown(one["kit"])), ("Asked by", shown(one["from"])), ("Guardian", shown(one["guardian"])),
      ("Owner", shown(one["owner"])),
      ("Note", shown(one["note"])), ("Code", shown(one["code"])), ("Asked", date(one["at"])), ("Not before", date(one["due"])),
      ("State", shown(one["state"])),
    ])
  }
}
