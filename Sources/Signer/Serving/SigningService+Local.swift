import AuditLog
package import Curve
package import Encodings
import Identities
import Platform
package import RemoteSigning

/// Requests of programs on this machine. From the decision on they are like all others.
extension SigningService {
  /// Takes a request of a program that has a pairing. The answer goes to `Publishing.send`, as a reply with `local`.
  /// - Parameter remoteSigner: the key of that pairing.
  /// - Returns: false when it was dropped and gets no answer.
  package func take(_ request: LocalRequest, at remoteSigner: PublicKey) -> Bool {
    guard let now = checkedTime() else { return false }
    home.session.check()
    let intake = home.engine.receive(request, at: remoteSigner, now: now)
    switch intake {
    case .dropped(let reason):
      meters.note { $0.dropped[reason, default: 0] += 1 }
      return false
    case .refused(let refusal):
      if refusal.reason.isTooMany { meters.note { $0.lastTooMany = now } }
      send(refusal, nil)
    case .held: return false
    case .decided(let exchange): takeUp(exchange, .embedded)
    }
    return true
  }

  /// Ends the requests of a program that does not wait for its answers any more. What was decided is done all the same.
  /// - Parameter ids: of the requests.
  package func withdraw(_ ids: Set<Bytes32>) {
    for request in home.engine.withdraw(ids) {
      home.drop(request, "its program did not wait for the answer")
      home.signerEvents.tell(.requestEnded(name: request.name, approved: nil))
    }
  }

  /// Lets in the program whose first request the owner approved. From now on its trust and the owner's rules decide.
  func admit(_ remoteSigner: PublicKey) {
    let isStored = home.changingPairings {
      guard var pairing = home.engine.pairings.first(where: { $0.remoteSigner == remoteSigner }), pairing.grant.isFirstUse else {
        return false
      }
      pairing.grant.isFirstUse = false
      let entry = AuditEntry.event(
        .grantChanged, identity: pairing.identity, client: pairing.client, rule: AuditRule(clipping: "you let it in"))
      guard home.outbox.recorded(entry, body: { home.store.update([pairing]) }) else { return false }
      return home.engine.update(remoteSigner, name: pairing.name, grant: pairing.grant)
    }
    if isStored { home.signerEvents.tell(.clientsChanged) }
  }
}

extension OpenedHome {
  /// A pairing for a program that asks for the first time. Call it within `changingPairings`.
  /// - Returns: nil when it could not be stored.
  package func meet(_ caller: LocalCaller, named name: String, identity: PublicKey, grant: Grant) -> Pairing? {
    guard let (offer, signer) = newOffer(caller, named: name, identity: identity, grant: grant),
      save(offer, signer: signer)
    else { return nil }
    engine.add(offer.pairing, signer: signer, now: offer.pairing.pairedAt)
    confirm(offer)
    signerEvents.tell(.clientsChanged)
    return offer.pairing
  }

  private func newOffer(
    _ caller: LocalCaller, named name: String, identity: PublicKey, grant: Grant
  ) -> (offer: PairingOffer, signer: KeyPair)? {
    guard let signer = try? KeyPair.random(), let client = try? KeyPair.random() else { return nil }
    let offer = engine.offer(
      caller, named: name, identity: identity, grant: grant, remoteSigner: signer.publicKey, client: client.publicKey,
      now: Clock.seconds)
    return (offer, signer)
  }

  /// Takes back all that an app may do. A program, site or link stays known as one that was not let in, so that no setting for new programs
  /// lets it in again, not even what it asks in this moment. It did not ask, so neither the log nor the terminal says so; its count of
  /// requests goes on.
  /// - Parameter ending: `.app` for one that logged out.
  /// - Returns: false when it could not be stored, or is gone; nothing changed then.
  @discardableResult
  package func expel(_ remoteSigner: PublicKey, by ending: Ending = .owner) -> Bool {
    guard let caller = engine.pairings.first(where: { $0.remoteSigner == remoteSigner })?.caller else {
      return forget(remoteSigner, by: ending)
    }
    return forget(remoteSigner, by: ending) { [self] pairing in
      // A program that logs out with less than full trust stays known: `--local-trust` could give it more when it comes back.
      let isLess = ![.ofUnmet, Grant(trust: .full)].contains(pairing.grant)
      let grant = caller.program != nil && (ending == .owner || isLess) ? Grant.ofRevoked : .ofUnmet
      guard var next = newOffer(caller, named: pairing.name, identity: pairing.identity, grant: grant) else { return nil }
      // By which a reader tells it from one that asks just now.
      let before = min(pairing.lastSeen, next.offer.pairing.pairedAt - 1)
      (next.offer.pairing.lastSeen, next.offer.pairing.requestCount) = (before, pairing.requestCount)
      return next
    }
  }

  /// Programs that the owner revoked or paused for an identity, which is about to be deleted, stay known by a pairing with another one. Call it
  /// within `changingPairings`.
  package func keepRevoked(of identity: PublicKey) {
    let others = ([identities.defaultIdentity].compactMap { $0 } + identities.all).filter { $0.publicKey != identity }
    guard let other = others.first?.publicKey else { return }
    for pairing in engine.pairings where pairing.identity == identity && (pairing.grant.isRevoked || pairing.grant.isSuspended) {
      guard let caller = pairing.caller, caller.program != nil, engine.pairing(of: caller, for: other) == nil,
        let next = newOffer(caller, named: pairing.name, identity: other, grant: .ofRevoked),
        store.save(next.offer, signer: next.signer)
      else { continue }
      engine.add(next.offer.pairing, signer: next.signer, now: next.offer.pairing.pairedAt)
    }
  }

  /// Removes a program that was never let in, without a trace but in the log. Call it within `changingPairings`.
  /// - Returns: false when it could not be stored; nothing changed then.
  package func makeRoom(insteadOf pairing: Pairing) -> Bool {
    let entry = AuditEntry.unpaired(pairing, by: .room, time: Clock.milliseconds)
    guard outbox.recorded(entry, body: { store.remove([pairing.remoteSigner]) }) else { return false }
    dropPending(engine.end(pairing.remoteSigner, now: Clock.seconds), "its program made room for another")
    _ = engine.close(pairing.remoteSigner)
    signerEvents.tell(.clientsChanged)
    return true
  }
}
