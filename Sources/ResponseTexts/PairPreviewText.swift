package import OwnerAPI
import TerminalUI

/// What an app's link brings, before anything is stored.
package enum PairPreviewText {
  /// - Parameters:
  ///   - trust: the trust level that the app would get.
  ///   - inWords: what a permission is, such as "notes"; nil where there are no words for it.
  package static func text(_ link: PairPreview.Response, trust: Trust, inWords: (String) -> String?) -> String {
    let name = link.name.map { foreign($0) } ?? "an app without a name"
    let known = link.pairedAs.map {
      "\nIt is paired already, as \(foreign($0)). Its rules stay\(trust == link.trust ? ", and its trust" : ", and its trust changes from \(shown(link.trust))")."
    }
    return """
      This link pairs \(name).\(known ?? "")

      \(pairs([
        ("Key", shown(link.client)), ("Says it is at", link.url.map { "\(foreign($0)) (nobody has checked this)" } ?? ""),
        ("Signs as", shown(link.identity)), ("Trust", "\(shown(trust)) (another: --trust low)"),
        ("Relays", link.relays.map(relay).joined(separator: "\n")), ("Asks for", wishes(link.permissions, trust, inWords)),
      ]))

      """
  }

  /// The question below the description.
  package static func question(_ link: PairPreview.Response) -> String {
    link.revokedAt.map { "You revoked this app on \(day($0)). Pair it again?" } ?? "Pair this app?"
  }

  private static func relay(_ relay: LinkRelay) -> String {
    let remark = relay.isKnown ? "yours" : relay.isInside ? "new, on this machine or in your network" : "new"
    return "\(foreign(relay.url, limit: 400)) (\(remark))"
  }

  private static func wishes(_ permissions: [WantedPermission], _ trust: Trust, _ inWords: (String) -> String?) -> String {
    guard !permissions.isEmpty else { return "nothing in particular" }
    return permissions.map { wanted in
      let meaning = inWords(wanted.permission).map { " (\(shown($0)))" } ?? ""
      return "\(foreign(wanted.permission, limit: 300))\(meaning): \(words(verdict(wanted, trust)))"
    }.joined(separator: "\n")
  }

  private static func verdict(_ wanted: WantedPermission, _ trust: Trust) -> Verdict {
    switch trust {
    case .full: wanted.full
    case .medium: wanted.medium
    case .low: wanted.low
    }
  }

  private static func words(_ verdict: Verdict) -> String {
    switch verdict {
    case .allow: "without asking"
    case .ask: "asks you"
    case .deny: "denied"
    }
  }
}
