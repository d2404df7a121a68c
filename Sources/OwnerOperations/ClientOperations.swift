internal import AuditLog
internal import Curve
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer

extension Operations {
  /// The shortest prefix of a key that names an app, in hex digits.
  private static let shortestPrefix = 4

  func listClients() -> JSONValue { .object([.init("clients", .array(core.engine.pairings.map { .object(summary($0)) }))]) }

  func showClient(_ given: Parameters) throws -> JSONValue { detail(try client(given)) }

  func renameClient(_ given: Parameters) throws -> JSONValue {
    let name = ClientMetadata(name: try given.text("name")).name
    guard let name else { throw OperationError.usage("The name has no letter that can be shown.") }
    return try change(try client(given), as: "renamed") { pairing in pairing.name = name }
  }

  func trustClient(_ given: Parameters) throws -> JSONValue {
    guard let trust = try Self.trust(given) else { throw OperationError.usage("Trust is full, medium or low.") }
    return try change(try client(given), as: "\(trust.rawValue) trust") { pairing in
      pairing.grant.trust = trust
    }
  }

  func revokeClient(_ given: Parameters) throws -> JSONValue {
    let pairing = try client(given)
    if core.isUnsure { throw OperationError.unlockFirst }
    guard core.forget(pairing.remoteSigner, by: .owner) else { throw OperationError.notStored }
    return .object([.init("revoked", .string(pairing.client.hex)), .init("name", .string(pairing.name))])
  }

  func name(ofClient key: PublicKey, at remoteSigner: PublicKey) -> String {
    core.engine.pairings.first { $0.remoteSigner == remoteSigner }?.name ?? key.hex
  }

  // MARK: finding and changing

  /// A pairing by its app's key (hex or npub), the first digits of that, the app's name, or the pairing's own key: an app may be
  /// paired with two identities.
  func client(_ given: Parameters) throws -> Pairing {
    let text = try given.text("client")
    let all = core.engine.pairings
    let key = PublicKey(npubOrHex: text)
    let found =
      key.map { key in all.filter { $0.client == key || $0.remoteSigner == key } }
      ?? all.filter { $0.name == text || (text.utf8.count >= Self.shortestPrefix && $0.client.hex.hasPrefix(text)) }
    guard let first = found.first else {
      throw OperationError.notFound("No paired app has that name or key.", hint: "See: holdfast client list")
    }
    guard found.count == 1 else {
      throw OperationError.failed(
        "\(found.count) paired apps answer to that.",
        hint: "Name one by its “pubkey”, or by its “signer”: holdfast client list --json")
    }
    return first
  }

  /// Changes a pairing, durably and then in the engine; the log and the owner's surfaces hear of it.
  /// - Parameter what: the change in the log's words, without anything an app said.
  func change(
    _ pairing: Pairing, as what: String, _ edit: (inout Pairing) throws -> Void
  ) throws -> JSONValue {
    let changed = try core.changingPairings {
      // As it is now: another change may have come between.
      guard var changed = core.engine.pairings.first(where: { $0.remoteSigner == pairing.remoteSigner }) else {
        throw OperationError.notFound("That app is not paired any more.")
      }
      try edit(&changed)
      let entry = AuditEntry.event(
        .grantChanged, identity: changed.identity, client: changed.client, rule: AuditRule(clipping: what))
      try core.outbox.recording(entry) {
        guard core.store.update([changed]) else { throw OperationError.notStored }
      }
      guard core.engine.update(changed.remoteSigner, name: changed.name, grant: changed.grant) else {
        throw OperationError.notStored
      }
      // From now on it is counted: the log is asked for nothing before.
      if changed.grant.counts {
        let time = Clock.milliseconds  // before the counts: what comes between is counted twice rather than never
        let usage = core.engine.usage(of: changed.remoteSigner)
        _ = core.store.save([changed.remoteSigner: usage], countedUpTo: time)
      }
      return changed
    }
    core.signerEvents.tell(.clientsChanged)
    return detail(changed)
  }

  // MARK: describing

  private func summary(_ pairing: Pairing) -> [JSONValue.Member] {
    [
      .init("pubkey", .string(pairing.client.hex)), .init("signer", .string(pairing.remoteSigner.hex)),
      .init("name", .string(pairing.name)),
      .init("identity", .string(name(ofIdentity: pairing.identity))), .init("trust", .string(pairing.grant.trust.rawValue)),
      .init("paired", .integer(pairing.pairedAt)), .init("last_seen", .integer(pairing.lastSeen)),
      .init("requests", .integer(Int64(pairing.requestCount))),
      .init("suspended", .bool(pairing.grant.isSuspended || core.engine.isSuspended)),
      .init(
        "long_answer", pairing.longAnswer.map { ["bytes": .integer(Int64($0.bytes)), "at": .integer($0.at)] } ?? .null),
    ]
  }

  func detail(_ pairing: Pairing) -> JSONValue {
    func texts(_ permissions: some Sequence<Permission>) -> JSONValue {
      .array(permissions.map(\.description).sorted().map { .string($0) })
    }
    return .object(
      summary(pairing) + [
        .init("url", pairing.url.map { .string($0) } ?? .null),
        .init("allowed", texts(pairing.grant.allowed)),
        .init("denied", texts(pairing.grant.denied)), .init("relays", .array(pairing.relays.map { .string($0.text) })),
      ] + grantMembers(pairing))
  }
}
