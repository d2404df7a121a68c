import Curve
import Encodings
import Identities
import JSON
import KeyRotation
import Nostr
import OwnerAPI
import OwnerWords
import RemoteSigning
import Signer
import Sockets
import Vault

/// Rotations as the command line and the console show them.
extension Operations {
  /// A public key with its name here; without a name if it is not here.
  func who(_ key: PublicKey) -> NamedKey {
    var told = NamedKey()
    told.name = home.identities.all.first { $0.publicKey == key }?.name
    (told.npub, told.pubkey) = (key.npub, key.hex)
    return told
  }

  func describe(_ rotation: Rotation) -> RotationSummary {
    var summary = RotationSummary()
    (summary.from, summary.to, summary.reason) = (who(rotation.old), who(rotation.new), RotationReason(rotation.reason))
    (summary.started, summary.stage) = (rotation.startedAt, rotation.isDone ? .done : .publishing)
    (summary.relays, summary.published) = (rotation.relays, rotation.parts.map { PublishedEvent($0, of: rotation) })
    (summary.missing, summary.apps) = (rotation.missing.map(RotationEvent.init), apps(of: rotation.old))
    summary.cannot = Self.cannot
    return summary
  }

  func describe(_ draft: RotationDraft, name: String, prepared: Bool) -> RotationPlan {
    var plan = RotationPlan()
    (plan.from, plan.to, plan.reason, plan.isPrepared) = (who(draft.old), name, RotationReason(draft.reason), prepared)
    plan.publishes = Self.publishes(draft)
    (plan.relays, plan.unreachable) = (draft.relays.map(\.text), Self.told(draft.faults))
    plan.missing = Rotation.What.allCases.filter { $0.copied != nil && draft.copies[$0] == nil }.map(RotationEvent.init)
    (plan.apps, plan.cannot) = (apps(of: draft.old), Self.cannot)
    return plan
  }

  private static func publishes(_ draft: RotationDraft) -> [PlannedEvent] {
    var published = [
      PlannedEvent(.statement, Succession.kind, by: .old), PlannedEvent(.acceptance, Succession.kind, by: .new),
    ]
    for what in Rotation.What.allCases {
      guard let copy = draft.copies[what] else { continue }
      var event = PlannedEvent(RotationEvent(what), copy.kind, by: .new)
      (event.found, event.tags) = (draft.areFromHere.contains(what) ? .here : .relays, Int64(copy.tags.count))
      published.append(event)
    }
    if draft.hasNote { published.append(PlannedEvent(.note, 1, by: .old)) }
    return published
  }

  private func apps(of identity: PublicKey) -> [AppOfOldKey] {
    home.engine.pairings.filter { $0.identity == identity }.map { pairing in
      var app = AppOfOldKey()
      (app.name, app.client) = (pairing.name, pairing.client.hex)
      return app
    }
  }

  /// What no program can do for the owner. The same words are in docs/ROTATION.md.
  static let cannot = [
    "Followers do not move by themselves: most apps do not know statements of succession. Tell people in another way.",
    "Private messages to the old key can only be read with it. Keep it.",
    "A NIP-05 name points to the old key until its domain changes it. Zaps go to the profile's lightning address.",
    "Events of the old key stay under the old key. Other lists (mutes, bookmarks, app settings) are not moved.",
    "Anybody who has the old key can still sign with it elsewhere, even a statement that names another successor.",
    "Apps must be paired again: a pairing belongs to one key.",
  ]
}

extension PlannedEvent {
  fileprivate init(_ what: RotationEvent, _ kind: Int, by side: RotationSide) {
    self.init()
    (self.what, self.kind, signedBy) = (what, Int64(kind), side)
  }
}

extension PublishedEvent {
  fileprivate init(_ part: Rotation.Part, of rotation: Rotation) {
    self.init()
    (what, kind, id) = (RotationEvent(part.what), Int64(part.event.kind), part.event.id.hex)
    signedBy = part.event.pubkey == rotation.old ? .old : .new
    taken = part.answers.filter(\.isTaken).map(\.relay)
    refused = part.answers.filter { !$0.isTaken }.map { RelayFault(relay: $0.relay, why: $0.text) }
  }
}
