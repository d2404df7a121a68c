import AuditLog
package import Curve
package import Encodings
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
    guard let signer = try? KeyPair.random(), let client = try? KeyPair.random() else { return nil }
    let now = Clock.seconds
    let offer = engine.offer(
      caller, named: name, identity: identity, grant: grant, remoteSigner: signer.publicKey, client: client.publicKey, now: now)
    guard save(offer, signer: signer) else { return nil }
    engine.add(offer.pairing, signer: signer, now: now)
    confirm(offer)
    signerEvents.tell(.clientsChanged)
    return offer.pairing
  }

  /// Takes back all that a program may do. It stays known as one that was not let in, so that no setting for new programs lets it in
  /// again.
  /// - Returns: false when it could not be stored; nothing changed then.
  package func expel(_ pairing: Pairing) -> Bool {
    guard forget(pairing.remoteSigner, by: .owner) else { return false }
    guard let caller = pairing.caller else { return true }
    _ = changingPairings { meet(caller, named: pairing.name, identity: pairing.identity, grant: .ofUnmet) }
    return true
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
