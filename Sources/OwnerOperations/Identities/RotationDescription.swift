internal import Curve
internal import Encodings
internal import Identities
internal import JSON
internal import KeyRotation
internal import Nostr
internal import RemoteSigning
internal import Signer
internal import Sockets
internal import Vault

/// Rotations as JSON for the command line and the console.
extension Operations {
  /// A key with the name it has here; null for one that is not here.
  func who(_ key: PublicKey) -> JSONValue {
    let name = core.identities.all.first { $0.publicKey == key }?.name
    return .object([
      .init("name", name.map { .string($0) } ?? .null), .init("npub", .string(key.npub)), .init("pubkey", .string(key.hex)),
    ])
  }

  func describe(_ rotation: Rotation) -> JSONValue {
    .object([
      .init("from", who(rotation.old)), .init("to", who(rotation.new)), .init("reason", .string(rotation.reason.rawValue)),
      .init("started", .integer(rotation.startedAt)), .init("stage", rotation.isDone ? "done" : "publishing"),
      .init("relays", .array(rotation.relays.map { .string($0) })),
      .init("published", .array(rotation.parts.map { describe($0, rotation) })),
      .init("missing", .array(rotation.missing.map { .string($0.rawValue) })),
      .init("apps", apps(of: rotation.old)), .init("cannot", Self.cannot),
    ])
  }

  private func describe(_ part: Rotation.Part, _ rotation: Rotation) -> JSONValue {
    .object([
      .init("what", .string(part.what.rawValue)), .init("kind", .integer(Int64(part.event.kind))),
      .init("id", .string(part.event.id.hex)), .init("signed_by", part.event.pubkey == rotation.old ? "old" : "new"),
      .init("taken", .array(part.answers.filter(\.isTaken).map { .string($0.relay) })),
      .init(
        "refused",
        .array(part.answers.filter { !$0.isTaken }.map { ["relay": .string($0.relay), "why": .string($0.text)] })),
    ])
  }

  func describe(_ draft: RotationDraft, name: String, prepared: Bool) -> JSONValue {
    var published: [JSONValue] = [
      Self.planned(.statement, Succession.kind, "old"), Self.planned(.acceptance, Succession.kind, "new"),
    ]
    for what in Rotation.What.allCases {
      guard let copy = draft.copies[what] else { continue }
      let from: JSONValue = draft.areFromHere.contains(what) ? "here" : "relays"
      published.append(
        Self.planned(what, copy.kind, "new", [.init("found", from), .init("tags", .integer(Int64(copy.tags.count)))]))
    }
    if draft.hasNote { published.append(Self.planned(.note, 1, "old")) }
    let missing = Rotation.What.allCases.filter { $0.copied != nil && draft.copies[$0] == nil }
    let faults = draft.faults.sorted { $0.key < $1.key }
    return .object([
      .init("from", who(draft.old)), .init("to", .string(name)), .init("reason", .string(draft.reason.rawValue)),
      .init("prepared", .bool(prepared)), .init("publishes", .array(published)),
      .init("relays", .array(draft.relays.map { .string($0.text) })),
      .init("unreachable", .array(faults.map { ["relay": .string($0.key), "why": .string($0.value)] })),
      .init("missing", .array(missing.map { .string($0.rawValue) })), .init("apps", apps(of: draft.old)),
      .init("cannot", Self.cannot),
    ])
  }

  private static func planned(
    _ what: Rotation.What, _ kind: Int, _ by: String, _ more: [JSONValue.Member] = []
  ) -> JSONValue {
    .object(
      [.init("what", .string(what.rawValue)), .init("kind", .integer(Int64(kind))), .init("signed_by", .string(by))] + more)
  }

  private func apps(of identity: PublicKey) -> JSONValue {
    .array(
      core.engine.pairings.filter { $0.identity == identity }.map {
        ["name": .string($0.name), "client": .string($0.client.hex)]
      })
  }

  /// What no program can do for the owner. The same words in docs/ROTATION.md.
  static let cannot: JSONValue = [
    "Followers do not follow by themselves: most apps do not know statements of succession. Tell people by another way.",
    "Private messages to the old key stay with it: keep it, or they cannot be read.",
    "A NIP-05 name points at the old key until its domain says otherwise, and zaps go where the profile's lightning address points.",
    "What the old key published stays the old key's. Other lists (mutes, bookmarks, apps' data) are not moved.",
    "Who has the old key can still sign with it elsewhere, a statement that names another successor included.",
    "Apps must be paired anew: a pairing belongs to one key.",
  ]
}
