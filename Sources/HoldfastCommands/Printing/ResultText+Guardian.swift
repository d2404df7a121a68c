import CommandLine
import JSON
import TerminalUI

/// `holdfast guardian …` for people.
extension ResultText {
  static func guardians(_ result: JSONValue) -> String {
    let list = result["guardians"]?.array ?? []
    let end = correspondents(result)
    if list.isEmpty { return "You have no guardian. Make a kit, then: holdfast guardian add NPUB --share-file FILE" + end }
    var table = TextTable(["NAME", "GUARDIAN", "KIT", "SHARE", "SENT", "KEPT SINCE"])
    for one in list {
      table.add([
        plain(one["id"]), plain(one["npub"]), plain(one["kit"]), plain(one["share"]), date(one["sent"]),
        one["since"]?.integer.map(moment) ?? "not yet confirmed",
      ])
    }
    return table.text + end
  }

  /// Which identities' letters are read, where it is not simply all of them.
  private static func correspondents(_ result: JSONValue) -> String {
    (result["identities"]?.array ?? []).map { one in
      let name = shown(one["identity"])
      return switch one["state"]?.string {
      case "reads"?: "\nLetters for “\(name)” are read."
      case "open"?: "\nLetters for “\(name)” are read for \(shown(one["seconds"])) seconds more."
      case "needs you"?: "\nLetters for “\(name)” wait for you: holdfast guardian open --identity \(name)"
      case "locked"?: "\nLetters for “\(name)” wait until you unlock."
      default: "\nLetters for “\(name)” are read while the signer runs."
      }
    }.joined()
  }

  static func guardianAdded(_ result: JSONValue) -> String {
    let begin = "The share is on its way. Whether it is kept: holdfast guardian list"
    return result["code"]?.string == nil ? begin : begin + "\n\n" + requestCode(result)
  }

  static func requestCode(_ result: JSONValue) -> String {
    """
    Request code of kit \(shown(result["kit"])): \(shown(result["code"]))
    Write it on your papers. When you ask for the share, it sets you apart from strangers; it opens nothing.
    """
  }

  /// What an asker showed of himself.
  private static func standing(_ one: JSONValue) -> String {
    switch one["shown"]?.string {
    case "owner"?: "the key the share came from"
    case "code"?: "the kit's request code"
    default: "nothing: anybody who knows the kit's number can ask"
    }
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
    let offered = list.filter { $0["offered"]?.bool == true }.map {
      "\nYou have not agreed to \(shown($0["id"])) yet; it is given to nobody. Call its owner, then: holdfast guardian accept "
        + "\(shown($0["id"])), or: holdfast guardian remove \(shown($0["id"]))"
    }.joined()
    return table.text + offered + end
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
      ("Showed", standing(one)), ("Note", shown(one["note"])), ("Code", shown(one["code"])), ("Asked", date(one["at"])),
      ("Not before", date(one["due"])),
      (
        "State",
        shown(one["state"])
          + (one["needs_you"]?.bool == true ? "; it is given when you open the key: holdfast guardian open" : "")
          + (one["state"] == "displaced" ? ": newer requests took its place. Ask again, with --code" : "")
          + (one["state"] == "waiting" && one["guardian"]?.string != nil && one["mine"]?.bool != true
            ? ": a guardian's Holdfast says nothing before its person said yes. Call them" : "")
      ),
    ])
  }
}
