public import Curve
import Nostr
import Platform

/// The rules for all apps, and the facts that the engine needs to apply them.
extension SigningEngine {
  /// The settings for all apps.
  public var policySettings: PolicySettings { state.withLock { $0.conditions.settings } }

  /// Replaces the settings for all apps. Store them first.
  public func setPolicySettings(_ settings: PolicySettings) { state.withLock { $0.conditions.settings = settings } }

  /// Whether every use of a key is asked for, whatever was granted.
  public var isSuspended: Bool { state.withLock { $0.conditions.isSuspended } }

  /// Suspends all grants, or lets them hold again. What the owner denied stays denied; what was approved recently is asked again.
  public func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.conditions.isSuspended = isSuspended
      if isSuspended { state.answers.forgetApprovals() }
    }
  }

  /// The decision about a request if the pairing had another grant. Counts nothing, and takes the session for unlocked.
  public func decision(
    for facts: RequestFacts, at remoteSigner: PublicKey, under grant: Grant, settings: PolicySettings? = nil, now: Int64
  ) -> Decision {
    var (conditions, identity) = state.withLock { state in
      var conditions = state.conditions
      conditions.usage = state.usage[remoteSigner] ?? Usage()
      return (conditions, state.servedKeys[remoteSigner]?.pairing?.identity)
    }
    if let settings { conditions.settings = settings }
    let decision = Policy.decision(for: facts, under: grant, at: now, in: conditions)
    return identity.map { self.decision(decision, about: facts, for: $0) } ?? decision
  }

  /// What becomes of a decision of the rules because of the identity's key: a retired one signs nothing, and one that needs presence is asked
  /// for each time.
  public func decision(_ decision: Decision, about facts: RequestFacts, for identity: PublicKey) -> Decision {
    guard !facts.method.isAlwaysAllowed else { return decision }
    return state.withLock { state in
      if state.retired.contains(identity) { return Decision(.deny, by: .identityRetired) }
      return decision.verdict == .allow && state.keeping[identity] == .perUse ? Decision(.ask, by: .presence) : decision
    }
  }

  // MARK: use

  /// What a pairing's app used up.
  public func usage(of remoteSigner: PublicKey) -> Usage { state.withLock { $0.usage[remoteSigner] ?? Usage() } }

  /// Restores what was used up before a restart. Counts made since are not lowered.
  /// - Parameter now: seconds since 1970.
  public func restoreUsage(_ usage: Usage, of remoteSigner: PublicKey, now: Int64) {
    state.withLock { $0.usage[remoteSigner, default: Usage()].raise(to: usage, at: now) }
  }

  /// The counts that changed since the last call, to be stored.
  public func takeCountedUsage() -> [PublicKey: Usage] { state.withLock { $0.takeCounted() } }

  /// Returns the counts of these again next time, because they could not be stored.
  public func countAgain(_ remoteSigners: some Collection<PublicKey>) { state.withLock { $0.countAgain(remoteSigners) } }

  /// Removes the rules that ended.
  /// - Returns: the pairings that changed, to be stored.
  public func removeExpiredRules(now: Int64) -> [Pairing] { state.withLock { $0.removeExpiredRules(now: now) } }

  // MARK: lists

  /// Compares new events with what was signed at a coordinate, where its kind is compared: profile, follow list, relay lists.
  public func setKnown(_ signed: SignedCoordinate) {
    if SignedCoordinate.isLookedUp(signed.kind) {
      let ids = Set(signed.signatures.map(\.id))
      state.withLock { $0.known[signed.identity, default: KnownLists()].signed[signed.kind] = ids }
    }
    switch signed.kind {
    case EventKind.metadata: setPayment(signed.latest.map(PaymentAddresses.init(profile:)), of: signed.identity)
    case EventKind.follows: setFollows(signed.follows, of: signed.identity)
    case EventKind.relayList, EventKind.messageRelays:
      setRelayList(kind: signed.kind, tags: signed.latest?.tags ?? [], of: signed.identity)
    default: break
    }
  }

  /// The follow list of an identity that a new one is compared with.
  public func setFollows(_ follows: FollowList?, of identity: PublicKey) {
    state.withLock { $0.known[identity, default: KnownLists()].follows = follows }
  }

  /// Where payments to an identity go, as its latest profile says.
  public func setPayment(_ payment: PaymentAddresses?, of identity: PublicKey) {
    state.withLock { $0.known[identity, default: KnownLists()].payment = payment }
  }

  /// A relay list of an identity: kind 10002, or 10050 for messages.
  /// - Parameter tags: the event's.
  public func setRelayList(kind: Int, tags: [[String]], of identity: PublicKey) {
    let name = kind == EventKind.relayList ? "r" : "relay"
    let relays = tags.filter { $0.count > 1 && $0[0] == name }.compactMap { LoginAddress.relay($0[1]) }
    state.withLock { $0.known[identity, default: KnownLists()].relays[kind] = Set(relays) }
  }

  /// The relays the owner chose: apps log in to them without a question under medium trust.
  public func setOwnersRelays(_ relays: [RelayURL]) {
    let known = Set(relays.compactMap { LoginAddress.relay($0.text) })
    state.withLock { $0.ownersRelays = known }
  }
}
