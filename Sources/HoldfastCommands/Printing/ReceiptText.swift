import CommandLine
import JSON
import TerminalUI

/// The receipt of an identity, for people.
enum ReceiptText {
  static func text(_ result: JSONValue, _ now: Int64) -> String {
    func shown(_ value: JSONValue?, _ limit: Int) -> String { ResultText.shown(value, limit: limit) }
    var lines = [
      "Receipt for \(shown(result["identity"]?["name"], 200)), \(shown(result["identity"]?["npub"], 200))",
      "Made \(ResultText.date(result["made"])). Class: \(shown(result["class"], 200)).", "", "What holds it",
    ]
    lines += (result["held_by"]?.array ?? []).map { held in
      let bound = held["device_bound"]?.bool == true ? ", bound to this machine" : ""
      return
        "  The \(shown(held["what"], 40)): in \(shown(held["where"], 1000)), under \(shown(held["class"], 60))\(bound); in memory \(shown(held["in_memory"], 80))."
    }
    lines += ["", "What opens it"]
    lines += (result["opens"]?.array ?? []).map { slot in
      let label = shown(slot["label"], 60)
      return
        "  Slot \(shown(slot["slot"], 20)), \(shown(slot["type"], 40))\(label.isEmpty ? "" : " “\(label)”"): \(ResultText.worked(slot, now))."
    }
    lines += ["", "Who can rebuild it"] + orNobody((result["rebuild"]?.array ?? []).map { rebuild($0, now) })
    lines += ["", "What left this device"]
    lines += orNobody(
      (result["leaves"]?.array ?? []).map { left in
        "  \(shown(left["what"], 60))\(left["encrypted"]?.bool == false ? ", unencrypted" : ""), last \(ResultText.date(left["last_time"]))"
      })
    lines += ["", "What holds, and what does not"]
    lines += (result["claims"]?.array ?? []).map { claim in
      "  [\(mark(claim["holds"]))] \(shown(claim["sentence"], 300)) (\(shown(claim["how"], 300)))"
    }
    lines += ["", "Know that"] + (result["limits"]?.array ?? []).map { "  \(shown($0, 300))" }
    return lines.joined(separator: "\n")
  }

  private static func mark(_ holds: JSONValue?) -> String {
    switch holds {
    case .bool(true)?: "yes"
    case .bool(false)?: "NO"
    case .string("not known")?: "not known"
    default: "not enforced here"
    }
  }

  private static func rebuild(_ entry: JSONValue, _ now: Int64) -> String {
    switch entry["what"]?.string {
    case "recovery kit"?:
      "  \(ResultText.shown(entry["threshold"])) of \(ResultText.shown(entry["shares"])) shares of kit \(ResultText.shown(entry["kit"]))\(entry["for"] == "vault" ? ", with the vault or a backup of it" : ""): \(ResultText.worked(entry, now))"
    case "words"?:
      "  Its words\(entry["passphrase"]?.bool == true ? " with their passphrase" : ""): whether they are on paper is not known here"
    case "guardians"?: "  \(ResultText.shown(entry["count"])) guardians who hold shares"
    default: "  \(ResultText.shown(entry["what"]))"
    }
  }

  private static func orNobody(_ lines: [String]) -> [String] {
    lines.isEmpty ? ["  Nothing and nobody that is known here."] : lines
  }
}
