internal import AuditLog
internal import Backups
internal import Curve
internal import Encodings
internal import Identities
internal import JSON
internal import Nostr
internal import Platform
internal import RemoteSigning
internal import Signer
internal import Vault

/// `identity/delete`: what cannot be taken back takes the owner's proof, and says what still has the key.
extension Operations {
  /// With the member `plan` nothing is changed: what would end, and what still has the key, is the answer, and takes no proof.
  func deleteIdentity(_ given: Parameters) throws -> JSONValue {
    let identity = try identity(named: given.text("name"))
    let copies = copies(of: identity)
    if given["plan"]?.bool == true {
      let apps = core.engine.pairings.filter { $0.identity == identity.publicKey }.count
      return .object([
        .init("identity", .string(identity.name)), .init("npub", .string(identity.publicKey.npub)),
        .init("apps", .integer(Int64(apps))), .init("still_in", copies),
      ])
    }
    if !core.isTrial { try core.sessionLock.verify(given.proof()) }
    let apps = try takeAway(identity)
    try afterTakingAway()
    return .object([
      .init("deleted", .string(identity.name)), .init("pubkey", .string(identity.publicKey.hex)),
      .init("apps_revoked", .integer(Int64(apps))), .init("still_in", copies),
    ])
  }

  /// Where else the key is, as far as it is known here; null where the record of it cannot be read now.
  private func copies(of identity: Identity) -> JSONValue {
    guard let facts = try? receiptFacts(of: identity) else { return .null }
    var copies: [JSONValue] = facts.kits.filter { $0["for"] != "vault" }.map { kit in
      ["what": "recovery kit", "kit": kit["id"] ?? .null, "last_tested": kit["last_tested"] ?? .null]
    }
    copies += facts.leaves
    if let words = identity.words, !identity.hasWordsPassphrase {
      let siblings = core.identities.all.filter { $0.words == words && $0.publicKey != identity.publicKey }
      if let sibling = siblings.first { copies.append(["what": "words", "of": .string(sibling.name)]) }
    }
    return .array(copies)
  }

  /// Deletes one identity and all that hangs on it. `afterTakingAway` goes with it, once for several.
  /// - Returns: how many apps were paired with it.
  func takeAway(_ identity: Identity) throws -> Int {
    let pairings = try core.changingPairings {
      let pairings = core.engine.pairings.filter { $0.identity == identity.publicKey }.map(\.remoteSigner)
      let links = core.engine.openLinks.filter { $0.identity == identity.publicKey }.map(\.remoteSigner)
      let gone =
        core.store.ending(of: pairings, .identityDeleted) + core.store.retiring(links)
        + [.delete(kind: .rotation, id: identity.publicKey.bytes.array)]
      _ = try core.outbox.recording(.event(.identityDeleted, identity: identity.publicKey)) {
        try core.identities.delete(identity.publicKey, also: gone)
      }
      for key in pairings + links {
        core.dropPending(core.engine.end(key, now: Clock.seconds), "its identity was deleted")
      }
      return pairings
    }
    return pairings.count
  }

  func afterTakingAway() throws {
    services.backups.revocationsChanged()
    try core.loadIdentities()
    core.signerEvents.tell(.clientsChanged)
    core.signerEvents.tell(.identitiesChanged)
  }
}
