package import AuditLog
package import Curve
import Identities
import Nostr
package import RemoteSigning
package import Vault

/// The changes that an older vault lacks, as far as the log contains them.
package struct MissingChanges {
  /// How many of the last entries are searched when the owner is only informed. A search that undoes something reads them all: an
  /// app can write this many in a day to hide earlier ones.
  package static let mostTold = 100_000

  /// Changes of who may use a key, or of what opens the vault.
  private static let kinds: Set<AuditEntry.Kind> = [
    .paired, .unpaired, .grantChanged, .identityCreated, .identityImported, .identityRenamed, .identityDeleted, .identityChanged,
    .identityDefaultChanged, .identityRotated, .settingChanged, .passkeyAdded, .passkeyRemoved, .incidentCritical, .incidentEnded,
    .slotAdded, .slotRemoved, .passphraseChanged, .classKeysRotated, .recoveryCreated, .guardianAdded, .guardianAsked,
    .guardianReleased, .guardianCancelled, .guardianRemoved, .guardianAllowed, .shareKept, .requestCodeChanged,
    .notificationSubscribed, .notificationUnsubscribed, .biometryChanged, .successionSigned,
  ]

  /// Oldest first.
  package let entries: [AuditEntry]
  /// When the vault had its present state, in milliseconds since 1970; nil when the log does not show it.
  package let since: Int64?
  /// Names of apps, as far as they are known.
  package let apps: [PublicKey: String]
  /// Names of identities that the vault has.
  package let identities: [PublicKey: String]

  /// - Parameters:
  ///   - vault: as it was found, with the names of that time.
  ///   - limit: how many of the log's last entries are searched.
  package init(of found: RollbackFinding, _ vault: Vault, _ log: AuditLog, limit: Int = .max) throws {
    let all = try log.reader.entries(after: found.found, of: Self.kinds, limit: limit)
    (entries, since) = (all.entries.filter { $0.code != RollbackFinding.code }, all.since)
    let store = Store(vault)
    apps = try store.pairings().reduce(into: store.formerApps().names) { $0[$1.value.client] = $1.value.name }
    identities = try Identities(vault).all.reduce(into: [:]) { $0[$1.publicKey] = $1.name }
  }

  /// Whether an app's pairing has ended since.
  package func hasEnded(_ pairing: Pairing) -> Bool {
    entries.contains { entry in
      entry.kind == .unpaired && entry.client == pairing.client && entry.identity == pairing.identity
        && entry.time / 1000 >= pairing.pairedAt
    }
  }

  /// Marks the identities that were rotated since. They sign nothing any more, whatever an older record says.
  package func retireRotated(in vault: Vault) throws {
    let rotated = Set(entries.filter { $0.kind == .identityRotated }.compactMap(\.identity))
    let identities = try Identities(vault)
    for identity in identities.all where rotated.contains(identity.publicKey) && !identity.isRetired {
      try identities.setRetired(true, identity.publicKey)
    }
  }

  /// One or two sentences; nil when there is nothing to report.
  package var sentence: String? {
    let parts = Self.groups.compactMap { kind, words -> String? in
      let some = entries.filter { $0.kind == kind }
      guard !some.isEmpty else { return nil }
      let named = names(some)
      return "\(words) (\(named.isEmpty ? String(some.count) : named))"
    }
    guard !parts.isEmpty else { return entries.isEmpty ? nil : "The log has \(entries.count) changes since." }
    return "Since then, by the log: \(parts.joined(separator: "; "))."
  }

  // The most serious first.
  private static let groups: [(AuditEntry.Kind, String)] = [
    (.unpaired, "apps revoked"), (.incidentCritical, "everything shut"), (.passphraseChanged, "passphrase changed"),
    (.slotRemoved, "ways to open the vault removed"), (.slotAdded, "ways to open the vault added"),
    (.classKeysRotated, "class keys changed"), (.identityDeleted, "identities deleted"), (.identityRotated, "identities rotated"),
    (.grantChanged, "permissions changed"), (.paired, "apps paired"), (.passkeyRemoved, "passkeys removed"),
    (.settingChanged, "settings changed"), (.guardianCancelled, "requests for shares stopped"),
    (.guardianRemoved, "guardians or kept shares removed"), (.guardianReleased, "shares given back"),
    (.guardianAllowed, "requests for shares allowed"), (.shareKept, "shares kept for others"),
    (.guardianAsked, "shares asked for"),
  ]

  private func names(_ entries: [AuditEntry]) -> String {
    var names: [String] = []
    for entry in entries {
      let name: String? =
        switch entry.kind {
        case .unpaired, .paired, .grantChanged: entry.client.map { apps[$0] ?? String($0.npub.prefix(Self.shownOfKey)) }
        case .identityDeleted, .identityRotated:
          entry.identity.map { identities[$0] ?? String($0.npub.prefix(Self.shownOfKey)) }
        case .slotAdded, .slotRemoved: entry.rule?.description
        default: nil
        }
      if let name, !names.contains(name) { names.append(name) }
    }
    let more = names.count - Self.mostNamed
    return names.prefix(Self.mostNamed).map { ShownText.quoted($0, limit: 64) }.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  private static let mostNamed = 5
  private static let shownOfKey = 16
}
