import CommandLine
import JSON
import TerminalUI

/// Whether an approval needs its owner's presence, and how a terminal asks for it.
enum PresenceQuestion {
  /// - Parameters:
  ///   - approval: parameters of `request/approve`.
  ///   - list: what `request/list` gave.
  /// - Returns: the question for the passphrase; nil when none of the requests needs presence, or only a passkey would do.
  static func text(for approval: JSONValue, in list: JSONValue) -> String? {
    let ids = ([approval["id"]] + (approval["ids"]?.array ?? [])).compactMap { $0?.string }
    let meant = (list["requests"]?.array ?? []).filter { request in
      guard let id = request["id"]?.string else { return false }
      return ids.contains { !$0.isEmpty && id.hasPrefix($0) }
    }
    guard
      let first = meant.first(where: { ["passcode", "passkey-or-passcode"].contains($0["presence"]?.string) })
    else { return nil }
    let name = first["identity"]?["name"]?.string ?? first["identity"]?.string ?? ""
    return "\(printable(name)) needs you for each use. Passphrase: "
  }
}
