import AuditLog
import Backups
import Curve
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import Platform
import RemoteSigning
import Signer
import Vault

/// `identity/delete`: needs the owner's credential, because it cannot be undone, and says where copies of the key are.
extension Operations {
  /// A plan changes nothing and needs no credential. The response says what would end, and where copies of the key are.
  func deleteIdentity(_ request: IdentityDelete.Request, _ call: OperationCall) throws -> IdentityDelete.Response {
    let identity = try identity(named: request.identity.name)
    if !home.isTrial { try prove(call, orPlan: request.isPlan, with: request.credential) }
    var response = IdentityDelete.Response()
    let facts = try? receiptFacts(of: identity)
    (response.stillIn, response.isLogYounger) = (facts.map { copies(of: identity, $0) }, facts?.isLogYounger ?? false)
    if request.isPlan {
      response.plan = plan(ofDeleting: identity)
      return response
    }
    var deleted = IdentityDelete.Deleted()
    (deleted.name, deleted.pubkey) = (identity.name, identity.publicKey.hex)
    let wasDefault = home.identities.defaultIdentity?.publicKey == identity.publicKey
    deleted.appsRevoked = Int64(try takeAway(identity))
    try afterTakingAway()
    if wasDefault { deleted.newDefault = home.identities.defaultIdentity?.name }
    response.deleted = deleted
    return response
  }

  private func plan(ofDeleting identity: Identity) -> IdentityDelete.Plan {
    var plan = IdentityDelete.Plan()
    (plan.identity, plan.npub) = (identity.name, identity.publicKey.npub)
    plan.apps = Int64(home.engine.pairings.filter { $0.identity == identity.publicKey }.count)
    return plan
  }

  /// Known copies of the key.
  private func copies(of identity: Identity, _ facts: ReceiptFacts) -> [KeyCopy] {
    var copies = facts.kits.filter { $0.identity != nil }.map(KeyCopy.init) + facts.leaves.map(KeyCopy.init)
    if let words = identity.words, !identity.hasWordsPassphrase {
      let siblings = home.identities.all.filter { $0.words == words && $0.publicKey != identity.publicKey }
      if let sibling = siblings.first { copies.append(KeyCopy(wordsOf: sibling)) }
    }
    return copies
  }

  /// Deletes one identity and everything that depends on it. Call `afterTakingAway` once after one or several.
  /// - Returns: how many apps were paired with it.
  func takeAway(_ identity: Identity) throws -> Int {
    let pairings = try home.changingPairings {
      let ending = home.engine.pairings.filter { $0.identity == identity.publicKey }
      let pairings = ending.map(\.remoteSigner)
      home.keepRevoked(of: identity.publicKey)
      let links = home.engine.openLinks.filter { $0.identity == identity.publicKey }.map(\.remoteSigner)
      let gone =
        home.store.ending(of: pairings, .identityDeleted) + home.store.retiring(links)
        + [.delete(kind: .rotation, id: identity.publicKey.bytes.array)]
      _ = try home.outbox.recording(.event(.identityDeleted, identity: identity.publicKey)) {
        try home.identities.delete(identity.publicKey, also: gone)
      }
      for key in pairings + links {
        home.dropPending(home.engine.end(key, now: Clock.seconds), "its identity was deleted")
      }
      home.keepNames(of: ending)
      return pairings
    }
    return pairings.count
  }

  func afterTakingAway() throws {
    services.backups.revocationsChanged()
    try home.loadIdentities()
    home.signerEvents.tell(.clientsChanged)
    home.signerEvents.tell(.identitiesChanged)
  }
}

extension KeyCopy {
  fileprivate init(_ kit: RecoveryKit) {
    self.init()
    (what, self.kit, lastTested) = ("recovery kit", kit.id, kit.lastTested)
  }

  fileprivate init(_ copy: KeyOutside) {
    self.init()
    (what, isEncrypted, lastTime) = (copy.what, copy.isEncrypted, copy.lastTime)
  }

  fileprivate init(wordsOf sibling: Identity) {
    self.init()
    (what, of) = ("words", sibling.name)
  }
}
