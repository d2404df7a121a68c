package import OwnerAPI
import TerminalUI

/// Texts about a key that is replaced by another, for people.
package enum RotationText {
  package static func rotated(_ answer: IdentityRotate.Response) -> String {
    if let plan = answer.plan { return Self.plan(plan) }
    guard let rotation = answer.rotation else { return "" }
    var lines = [one(rotation), ""]
    if let links = answer.links, !links.isEmpty {
      lines.append("New links. Give each app its own:")
      for link in links { lines.append("  “\(foreign(link.app))”\n  \(shown(link.bunker, limit: 4096))") }
      lines.append("")
    }
    lines += ["What no program can do:"] + cannot(rotation.cannot)
    let name = shown(rotation.from.name)
    lines += ["", "Next: back up the new key (holdfast identity export \(shown(rotation.to.name)))."]
    if rotation.stage != .done { lines.append("      Send the rest again: holdfast identity rotate \(name)") }
    if rotation.published.allSatisfy(\.taken.isEmpty) {
      lines.append(
        "      No relay took anything, so nobody knows the new key yet. Other relays: holdfast identity rotate \(name) --relay wss://…"
      )
    }
    return lines.joined(separator: "\n")
  }

  private static func plan(_ plan: RotationPlan) -> String {
    var lines = [
      "\(who(plan.from)) would be replaced by a new key, “\(foreign(plan.to))”. Nothing was done.", "", "Published on:",
    ]
    lines += plan.relays.map { "  " + shown($0) }
    if !plan.unreachable.isEmpty {
      lines.append("Relays that could not be read:")
      lines += plan.unreachable.map { "  \(shown($0.relay)): \(foreign($0.why))" }
    }
    lines.append("Events:")
    lines += plan.publishes.map { event in
      let found = event.found.map { $0 == .here ? ", as it was signed here" : ", as relays have it" } ?? ""
      return "  \(name(event.what, event.kind)), signed by the \(shown(event.signedBy)) key\(found)"
    }
    lines += missing(plan.missing)
    if !plan.apps.isEmpty { lines.append("Apps to pair again: " + list(plan.apps.map(\.name))) }
    return (lines + ["", "What no program can do:"] + cannot(plan.cannot)).joined(separator: "\n")
  }

  package static func one(_ rotation: RotationSummary) -> String {
    var lines = [
      "\(who(rotation.from))\n  was replaced by \(who(rotation.to)) (\(shown(rotation.reason)), \(moment(rotation.started)))",
      rotation.stage == .done ? "  At least one relay has everything." : "  Not everything is on a relay yet.",
    ]
    for event in rotation.published {
      let taken = event.taken.count
      lines.append("  \(taken == 0 ? "✗" : "✓") \(name(event.what, event.kind)): taken by \(taken) of \(rotation.relays.count)")
      lines += event.refused.map { "      \(shown($0.relay)): \(foreign($0.why))" }
    }
    return (lines + missing(rotation.missing)).joined(separator: "\n")
  }

  private static func missing(_ events: [RotationEvent]) -> [String] {
    events.isEmpty ? [] : ["Not found anywhere, so not published: " + events.map(title).joined(separator: ", ")]
  }

  private static func cannot(_ sentences: [String]) -> [String] { sentences.map { "  - " + ours($0, limit: 400) } }

  private static func name(_ event: RotationEvent, _ kind: Int64) -> String { "\(title(event)) (kind \(kind))" }

  private static func title(_ event: RotationEvent) -> String {
    switch event {
    case .statement: "the statement that names the successor"
    case .acceptance: "the successor's acceptance"
    case .profile: "profile"
    case .follows: "follow list"
    case .relayList: "relay list"
    case .messageRelays: "relays for private messages"
    case .note: "a note for people"
    }
  }

  package static func who(_ key: NamedKey) -> String {
    guard let name = key.name else { return shown(key.npub) }
    return "\(printable(name)) (\(shown(key.npub)))"
  }
}
