import CommandLine
import JSON
import TerminalUI

/// What an operation came to, in text for people.
///
/// Every value that comes from outside is made printable. A member that is missing shows as empty: an older or newer daemon may
/// answer.
enum ResultText {
  /// - Parameters:
  ///   - operation: the request's.
  ///   - now: seconds since 1970.
  ///   - colors: whether a terminal shows colours.
  /// - Returns: lines without a line break at the end; empty for nothing to say.
  static func text(for operation: String, _ result: JSONValue, now: Int64, colors: Bool = false) -> String {
    switch operation {
    case "identity/list": identities(result, colors: colors)
    case "identity/create", "identity/import": identityMade(result, colors: colors)
    case "identity/show", "identity/rename", "identity/set", "identity/derive",
      "identity/class":
      identity(result, colors: colors)
    case "identity/vanity": vanity(result)
    case "identity/rotate": RotationText.rotated(result, now)
    case "identity/rotation": RotationText.list(result, now)
    case "identity/succession": RotationText.succession(result)
    case "identity/accounts": accounts(result)
    case "identity/default": "\(shown(result["name"])) is the default identity now."
    case "identity/receipt": ReceiptText.text(result, now)
    case "identity/delete": identityDeleted(result, now)
    case "identity/reset-event":
      "What \(shown(result["name"])) signed of kind \(shown(result["kind"])) in that place is forgotten; events dated from now on are signed again."
    case "pair/new": link(result)
    case "pair/accept": accepted(result)
    case "client/list": clients(result, now)
    case "client/revoke": "The pairing with \(shown(result["name"])) has ended."
    case "client/show", "client/rename", "client/trust", "client/allow", "client/deny", "client/ask", "client/forget",
      "client/limit", "client/budget", "client/suspend", "client/resume":
      client(result, now)
    case "policy/show", "policy/set": PolicyText.rules(result, now)
    case "session/show", "session/set": session(result, now)
    case "policy/explain": PolicyText.explanation(result)
    case "request/list": RequestText.list(result, now)
    case "request/show": RequestText.account(result, now)
    case "request/approve": RequestText.answered(result, "Approved")
    case "request/deny": RequestText.answered(result, "Refused")
    case "push/list": pushes(result, now)
    case "push/test": "Sent. See how it went: holdfast push list"
    case "push/remove": "It is told no more."
    case "log/show": log(result)
    case "log/verify": verified(result)
    case "log/key": shown(result["vkey"])
    case "log/checkpoint": plain(result["checkpoint"])  // our own lines
    case "log/prove": proved(result)
    case "log/retain": retained(result)
    case "log/renew": renewed(result)
    case "vault/check": VaultText.checked(result)
    case "vault/accept": VaultText.accepted(result)
    case "vault/repair": VaultText.repaired(result)
    case "console/link": consoleLink(result)
    case "status": StatusText.text(result)
    case "lock": "Locked. What apps ask waits; go on with: holdfast unlock"
    case "unlock": unlocked(result)
    case "slot/list": slots(result, now)
    case "slot/add": slotAdded(result)
    case "slot/test": slotTested(result)
    case "slot/rename": "Slot \(shown(result["slot"]?["id"])) is called “\(shown(result["slot"]?["label"]))” now."
    case "slot/passphrase": "The passphrase is changed. The old one opens nothing any more, but for copies made before."
    case "slot/rotate": rotated(result)
    case "slot/enrol": enrolled(result)
    case "slot/remove": slotRemoved(result)
    case "slot/bind": bound(result)
    case "panic": LockText.panic(result)
    case "resume": resumed(result)
    case "guardian/list": guardians(result)
    case "guardian/add": guardianAdded(result)
    case "guardian/code": requestCode(result)
    case "guardian/open":
      "Letters for “\(shown(result["identity"]))” are read for \(shown(result["seconds"])) seconds. See: holdfast guardian requests"
    case "guardian/held": heldShares(result)
    case "guardian/listen":
      result["listening"]?.bool == true ? "Others can hand you their shares now." : "Nobody can hand you a share now."
    case "guardian/requests", "guardian/asked": shareRequests(result)
    case "guardian/release", "guardian/refuse", "guardian/cancel", "guardian/ask": shareRequest(result)
    case "guardian/remove": "Removed."
    case "guardian/accept": "You keep it now. Its owner is told."
    case "recovery/list": kits(result)
    case "recovery/create": kitHead(result)
    case "recovery/test": kitTested(result)
    case "recovery/remove": kitRemoved(result)
    case "recovery/restore": kitRestored(result)
    case _ where operation.hasPrefix("backup/"): backup(operation, result, now)
    default: String(decoding: result.serialized(), as: UTF8.self)
    }
  }

  // MARK: each operation

  private static func link(_ result: JSONValue) -> String {
    let expires = result["expires"]?.integer.map { " It can be used once, until \(moment($0))." } ?? " It can be used once."
    return """
      \(shown(result["bunker"], limit: 4096))

      Give this link to one app. It signs as \(shown(result["identity"])), with \(shown(result["trust"])) trust.\(expires)
      """ + unreached(result)
  }

  private static func unreached(_ result: JSONValue) -> String {
    let relays = result["unreached"]?.array ?? []
    guard !relays.isEmpty else { return "" }
    return
      "\nNot connected to \(relays.map { shown($0, limit: 1024) }.joined(separator: " and ")) yet: until then, apps get no answer there."
  }

  private static func consoleLink(_ result: JSONValue) -> String {
    let expires = result["expires"]?.integer.map { ", until \(moment($0))" } ?? ""
    return """
      \(shown(result["url"], limit: 1024))

      Open this link in a browser on this machine. It signs you in once\(expires). Whoever has it can sign in: do not pass it on.
      """
  }

  private static func accepted(_ result: JSONValue) -> String {
    let wanted = (result["permissions"]?.array ?? []).map { shown($0) }
    let local = (result["local_relays"]?.array ?? []).map { shown($0) }
    let remark =
      local.isEmpty
      ? "" : "\nIts link names a relay on this machine or in your network, which is used: \(local.joined(separator: ", "))."
    return """
      Paired with \(shown(result["name"])) (\(shown(result["client"]))), which signs as \(shown(result["identity"])).
      It asked for: \(wanted.isEmpty ? "nothing in particular" : wanted.joined(separator: ", ")).\(remark)
      """
  }

  private static func clients(_ result: JSONValue, _ now: Int64) -> String {
    let list = result["clients"]?.array ?? []
    if list.isEmpty { return "No app is paired. Make a link for one: holdfast pair" }
    var table = TextTable(["NAME", "KEY", "IDENTITY", "TRUST", "PAIRED", "LAST SEEN", "REQUESTS"])
    for entry in list {
      table.add([
        plain(entry["name"]), String(plain(entry["pubkey"]).prefix(16)), plain(entry["identity"]),
        plain(entry["trust"]) + (entry["suspended"]?.bool == true ? " (suspended)" : ""),
        date(entry["paired"]), ago(entry["last_seen"]?.integer ?? 0, now: now), plain(entry["requests"]),
      ])
    }
    return table.text
  }

  private static func resumed(_ result: JSONValue) -> String {
    let apps = (result["suspended_apps"]?.array ?? []).map { shown($0) }
    let rest = apps.isEmpty ? "" : "\nStill suspended, until you say holdfast client resume APP: \(apps.joined(separator: ", "))."
    return "Unlocked, and your permissions hold again." + rest
  }

  // MARK: values

  /// Names and values below each other; what is empty is left out.
  static func pairs(_ rows: [(String, String)]) -> String {
    let filled = rows.filter { !$0.1.isEmpty }
    let width = (filled.map(\.0.count).max() ?? 0) + 2
    return filled.map { name, value in
      name.padded(to: width) + value.split(separator: "\n").joined(separator: "\n" + String(repeating: " ", count: width))
    }.joined(separator: "\n")
  }

  /// A value made printable.
  static func shown(_ value: JSONValue?, limit: Int = 200) -> String { printable(plain(value), limit: limit) }

  /// A value as text, not yet printable.
  static func plain(_ value: JSONValue?) -> String {
    switch value {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    case .bool(let truth)?: truth ? "yes" : "no"
    default: ""
    }
  }

  static func list(_ value: JSONValue?) -> String { (value?.array ?? []).map { shown($0) }.joined(separator: ", ") }

  static func date(_ value: JSONValue?) -> String { value?.integer.map(moment) ?? "" }
}
