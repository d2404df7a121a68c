import CommandLine
import JSON
import TerminalUI

/// A key that gives way to another, for people.
enum RotationText {
  static func rotated(_ result: JSONValue, _ now: Int64) -> String {
    if let plan = result["plan"] { return Self.plan(plan) }
    guard let rotation = result["rotation"] else { return "" }
    var lines = [one(rotation), ""]
    let links = result["links"]?.array ?? []
    if !links.isEmpty {
      lines.append("New links, one for each app; give it to that app:")
      for link in links { lines.append("  \(shown(link["app"]))\n  \(ResultText.shown(link["bunker"], limit: 4096))") }
      lines.append("")
    }
    lines += ["What no program can do:"] + cannot(rotation)
    let name = shown(rotation["from"]?["name"])
    lines += ["", "Next: back up the new key (holdfast identity export \(shown(rotation["to"]?["name"])))."]
    if rotation["stage"]?.string != "done" { lines.append("      Offer the rest again: holdfast identity rotate \(name)") }
    return lines.joined(separator: "\n")
  }

  static func list(_ result: JSONValue, _ now: Int64) -> String {
    let all = result["rotations"]?.array ?? []
    return all.isEmpty ? "No identity gave way to another key." : all.map(one).joined(separator: "\n\n")
  }

  static func succession(_ result: JSONValue) -> String {
    """
    \(result["new"]?.bool == true ? "Signed and kept" : "Kept since \(ResultText.date(result["made"]))"): \(who(result["identity"])) \
    is succeeded by \(who(result["successor"])).

    It is not published. If the key is lost or known to others:
      holdfast identity rotate \(shown(result["identity"]?["npub"])) --use-succession
    A copy of the statement to keep elsewhere: add --json. Keep the successor's words apart from this machine.
    """
  }

  private static func plan(_ plan: JSONValue) -> String {
    var lines = [
      "\(who(plan["from"])) would give way to a new key, “\(shown(plan["to"]))”. Nothing was done.", "", "Published on:",
    ]
    lines += (plan["relays"]?.array ?? []).map { "  " + shown($0) }
    let unreachable = plan["unreachable"]?.array ?? []
    if !unreachable.isEmpty {
      lines.append("Not read from:")
      lines += unreachable.map { "  \(shown($0["relay"])): \(shown($0["why"]))" }
    }
    lines.append("Events:")
    for event in plan["publishes"]?.array ?? [] {
      let found = event["found"]?.string.map { $0 == "here" ? ", as it was signed here" : ", as relays have it" } ?? ""
      lines.append("  \(name(event)), signed by the \(shown(event["signed_by"])) key\(found)")
    }
    lines += missing(plan)
    let apps = (plan["apps"]?.array ?? []).map { shown($0["name"]) }
    if !apps.isEmpty { lines.append("Apps to pair anew: " + apps.joined(separator: ", ")) }
    return (lines + ["", "What no program can do:"] + cannot(plan)).joined(separator: "\n")
  }

  private static func one(_ rotation: JSONValue) -> String {
    let isDone = rotation["stage"]?.string == "done"
    var lines = [
      "\(who(rotation["from"]))\n  gave way to \(who(rotation["to"])) (\(shown(rotation["reason"])), \(moment(rotation["started"]?.integer ?? 0)))",
      isDone ? "  Everything is with a relay at least." : "  Not everything is with a relay yet.",
    ]
    for event in rotation["published"]?.array ?? [] {
      let taken = (event["taken"]?.array ?? []).count
      lines.append("  \(taken == 0 ? "✗" : "✓") \(name(event)): taken by \(taken) of \((rotation["relays"]?.array ?? []).count)")
      for refusal in event["refused"]?.array ?? [] { lines.append("      \(shown(refusal["relay"])): \(shown(refusal["why"]))") }
    }
    return (lines + missing(rotation)).joined(separator: "\n")
  }

  private static func missing(_ value: JSONValue) -> [String] {
    let what = (value["missing"]?.array ?? []).map { title($0.string ?? "") }
    return what.isEmpty ? [] : ["Found nowhere, so not published: " + what.joined(separator: ", ")]
  }

  private static func cannot(_ value: JSONValue) -> [String] {
    (value["cannot"]?.array ?? []).map { "  - " + shown($0, limit: 400) }
  }

  private static func name(_ event: JSONValue) -> String {
    "\(title(event["what"]?.string ?? "")) (kind \(shown(event["kind"])))"
  }

  private static func title(_ what: String) -> String {
    switch what {
    case "statement": "the statement that names the successor"
    case "acceptance": "the successor's acceptance"
    case "profile": "profile"
    case "follows": "follow list"
    case "relays": "relay list"
    case "message-relays": "relays for private messages"
    case "note": "a note for people"
    default: printable(what)
    }
  }

  private static func who(_ value: JSONValue?) -> String {
    let npub = shown(value?["npub"])
    guard let name = value?["name"]?.string else { return npub }
    return "\(printable(name)) (\(npub))"
  }

  private static func shown(_ value: JSONValue?, limit: Int = 200) -> String { ResultText.shown(value, limit: limit) }
}
