import Curve

/// What the rules say about a use of a key, by the present state.
extension SignerState {
  /// Whether what was decided about the use of a key may still be done: the app is paired as it was, and the rules allow it now, or
  /// the owner said yes to just this.
  func stillAllows(_ exchange: Exchange, now: Int64) -> Bool {
    guard isPaired(exchange), let pairing = servedKeys[exchange.channel.signer.publicKey]?.pairing, let method = exchange.method
    else { return false }
    if retired.contains(pairing.identity) { return false }
    if exchange.decision?.rule == .ownerApproved { return !isOvertaken(exchange) }
    // Limits were counted when it was decided; it is not counted twice.
    var conditions = conditions
    conditions.usage = nil
    let facts = exchange.facts ?? RequestFacts(method: method, kind: exchange.kind)
    return Policy.decision(for: facts, under: pairing.grant, at: now, in: conditions).verdict == .allow
  }

  /// The rules' decision about a use of the key, by the present grant. Counts allowed uses. In one step: of two requests that
  /// race for the last one of a budget, one gets it. Nil when the pairing is gone.
  mutating func judge(_ facts: RequestFacts, at remoteSigner: PublicKey, now: Int64) -> Decision? {
    guard let pairing = servedKeys[remoteSigner]?.pairing else { return nil }
    if retired.contains(pairing.identity) { return Decision(.deny, by: .identityRetired) }
    let grant = pairing.grant
    var conditions = conditions
    if grant.counts { conditions.usage = usage[remoteSigner] ?? Usage() }
    let decision = Policy.decision(for: facts, under: grant, at: now, in: conditions)
    guard decision.verdict == .allow else { return decision }
    if isKeyAway(pairing.identity) { return Decision(.ask, by: .locked) }  // counted when it is unlocked
    if keeping[pairing.identity] == .perUse { return Decision(.ask, by: .presence) }
    if grant.counts {
      usage[remoteSigner, default: Usage()].count(facts, under: grant, at: now)
      countedAnew.insert(remoteSigner)
    }
    return decision
  }

  /// The known lists with which a request of an identity is compared.
  func lists(of identity: PublicKey) -> KnownLists {
    var lists = known[identity] ?? KnownLists()
    lists.ownersRelays = ownersRelays
    return lists
  }
}
