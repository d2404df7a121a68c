import CommandLine
import JSON
import TerminalUI

/// What is asked before, and said after, something goes for good: a slot, an identity, what was bound to another device.
enum RemovalText {
  /// The operations that say beforehand what they would do, when they are asked with the member `plan`.
  static let planned = ["slot/remove", "slot/bind", "identity/delete", "vault/repair"]

  /// The question to a person at a terminal.
  /// - Parameters:
  ///   - plan: the operation's answer to `plan`.
  ///   - now: seconds since 1970.
  /// - Returns: nil when there is nothing to ask.
  static func question(_ operation: String, _ plan: JSONValue, now: Int64) -> String? {
    switch operation {
    case "slot/remove":
      let slot = plan["slot"] ?? .null
      let lines = ["Slot \(ResultText.shown(slot["id"])): \(ResultText.kind(slot)), \(ResultText.worked(slot, now))."]
      return (lines + warnings(plan) + loses(plan) + ["Remove it for good?"]).joined(separator: "\n")
    case "vault/repair": return VaultText.plan(plan) + "\nGo on without it?"
    case "slot/bind":
      guard plan["needed"]?.bool == true, plan["loses"]?.string != nil else { return nil }
      return (loses(plan) + ["Bind the vault to this device?"]).joined(separator: "\n")
    default:
      let apps = plan["apps"]?.integer ?? 0
      let paired = apps == 0 ? "" : " \(apps == 1 ? "One app is" : "\(apps) apps are") paired with it."
      let name = "Delete “\(ResultText.shown(plan["identity"]))” and its key for good?"
      return ([copies(plan, now) + paired] + [name]).joined(separator: "\n")
    }
  }

  static func warnings(_ result: JSONValue) -> [String] {
    (result["warnings"]?.array ?? []).map { ResultText.shown($0, limit: 1000) }
  }

  private static func loses(_ plan: JSONValue) -> [String] {
    plan["loses"]?.string == nil ? [] : ["This is lost with it for good: \(ResultText.shown(plan["loses"], limit: 1000))."]
  }

  /// Where a key still is.
  static func copies(_ result: JSONValue, _ now: Int64) -> String {
    guard let list = result["still_in"]?.array else {
      return "Whether a backup or kit has the key cannot be told while the signer is locked."
    }
    guard !list.isEmpty else { return "No backup, kit or export of it is known here: nothing could bring the key back." }
    let places = list.map { one in
      switch one["what"]?.string {
      case "recovery kit"?: "kit \(ResultText.shown(one["kit"])) (\(ResultText.worked(one, now)))"
      case "backup"?: "a backup of \(ResultText.date(one["last_time"])), which opens with what opened the vault then"
      case "words"?: "the words of “\(ResultText.shown(one["of"]))”, of which it is an account"
      default: "an \(ResultText.shown(one["what"])) of \(ResultText.date(one["last_time"]))"
      }
    }
    return "The key is still in: \(places.joined(separator: "; "))."
  }
}

extension ResultText {
  /// `identity delete`
  static func identityDeleted(_ result: JSONValue, _ now: Int64) -> String {
    let apps = result["apps_revoked"]?.integer ?? 0
    let ended = apps == 0 ? "" : " \(apps == 1 ? "One pairing has" : "\(apps) pairings have") ended."
    return "Deleted “\(shown(result["deleted"]))”.\(ended)\n\(RemovalText.copies(result, now))"
  }

  /// `slot remove`
  static func slotRemoved(_ result: JSONValue) -> String {
    let remark = (result["remark"]?.string).map { [printable($0)] } ?? []
    return (["Slot \(shown(result["removed"])) opens nothing any more."] + lost(result) + remark + RemovalText.warnings(result))
      .joined(separator: "\n")
  }

  /// `slot bind`
  static func bound(_ result: JSONValue) -> String {
    guard result["changed"]?.bool == true else { return "The vault is bound to this device already." }
    let binding = result["binding"]?.string.map { " Against a copy of the whole folder: \(printable($0))." } ?? ""
    return (["The vault is bound to this device.\(binding)"] + lost(result)).joined(separator: "\n")
  }

  private static func lost(_ result: JSONValue) -> [String] {
    let names = (result["lost"]?.array ?? []).map { "“\(shown($0))”" }
    return names.isEmpty ? [] : ["Gone with it: \(names.joined(separator: ", "))."]
  }
}
