public import Curve
import Nostr
import Platform

/// What the owner does with the rules that hold for all apps, and what the engine must be told to know them.
extension SigningEngine {
  /// The settings for all apps.
  public var policySettings: PolicySettings { state.withLock { $0.conditions.settings } }

  /// Replaces the settings for all apps. Store them first.
  public func setPolicySettings(_ settings: PolicySettings) { state.withLock { $0.conditions.settings = settings } }

  /// Whether every use of a key is asked for, whatever was granted.
  public var isSuspended: Bool { state.withLock { $0.conditions.isSuspended } }

  /// Suspends all grants, or lets them hold again. What the owner denied stays denied; what was approved of late is asked anew.
  public func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.conditions.isSuspended = isSuspended
      if isSuspended { state.answers.forgetApprovals() }
    }
  }

  /// What a pairing's app would be told now, by a grant other than its own and without counting anything.
  public func decision(
    for facts: RequestFacts, at remoteSigner: PublicKey, under grant: Grant, settings: PolicySettings? = nil, now: Int64
  ) -> Decision {
    var conditions = state.withLock { state in
      var conditions = state.conditions
      conditions.usage = state.usage[remoteSigner] ?? Usage()
      return conditions
    }
    if let settings { conditions.settings = settings }
    return Policy.decision(for: facts, under: grant, at: now, in: conditions)
  }

  // MARK: use

  /// What a pairing's app used up.
  public func usage(of remoteSigner: PublicKey) -> Usage { state.withLock { $0.usage[remoteSigner] ?? Usage() } }

  /// Puts back what was used up before a restart. What was counted since is not lowered.
  /// - Parameter now: seconds since 1970.
  public func restoreUsage(_ usage: Usage, of remoteSigner: PublicKey, now: Int64) {
    state.withLock { $0.usage[remoteSigner, default: Usage()].raise(to: usage, at: now) }
  }

  /// The counts that changed since the last call, to be stored.
  public func takeCountedUsage() -> [PublicKey: Usage] { state.withLock { $0.takeCounted() } }

  /// Hands out the counts of these once more: they could not be stored.
  public func countAgain(_ remoteSigners: some Collection<PublicKey>) { state.withLock { $0.countAgain(remoteSigners) } }

  /// Removes the rules that ended.
  /// - Returns: the pairings that changed, to be stored.
  public func removeExpiredRules(now: Int64) -> [Pairing] { state.withLock { $0.removeExpiredRules(now: now) } }

  // MARK: lists

  /// The follow list of an identity that a new one is compared with.
  public func setFollows(_ follows: FollowList?, of identity: PublicKey) {
    state.withLock { $0.known[identity, default: KnownLists()].follows = follows }
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
