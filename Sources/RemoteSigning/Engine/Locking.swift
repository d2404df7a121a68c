public import Curve
import Encodings
import Platform

/// Locks the identities' keys away and keeps requests waiting meanwhile.
///
/// Transport keys stay. So requests are still received and decrypted, and those that need no key of the user are answered. The
/// others wait under the rule `locked`, and no app gets a final answer. Keys that are kept `throughLocks` are removed in a
/// lockdown.
extension SigningEngine {
  /// Whether the identities' keys are locked away.
  public var isLocked: Bool { state.withLock { $0.lock != .open } }

  /// Removes and wipes the identities' keys and all conversation keys made with them.
  /// - Parameters:
  ///   - milliseconds: how long to wait for uses under way, each of which wipes its key as it ends.
  ///   - everything: also wipes keys that are kept through locks. Approved requests that were not carried out wait for the owner again.
  /// - Returns: false when one took longer than that.
  @discardableResult
  public func lock(waiting milliseconds: Int = 0, everything: Bool = false) -> Bool {
    state.withLock { state in
      state.lock = max(state.lock, everything ? .shut : .locked)
      guard everything else { return }
      state.shuttings &+= 1
      state.answers.forgetApprovals()
    }
    keys.lock(everything: everything)
    conversations.removeAll()
    let isUnused = keys.waitUntilUnused(milliseconds: milliseconds)
    conversations.removeAll()  // a use that just ended may have made one
    return isUnused
  }

  /// Takes keys again. `reconsider` follows.
  public func unlock(with keys: [KeyPair]) {
    self.keys.unlock(with: keys.filter { keeping(of: $0.publicKey) != .perUse })
    state.withLock { $0.lock = .open }
  }

  /// What is done with a request that waited for the unlocking.
  public enum Reconsidered: Sendable {
    /// The rules have decided it: record the exchange and perform it.
    case decided(name: String, Exchange)
    /// The owner is to be asked: store it again.
    case waits(PendingRequest)
  }

  /// Asks the rules about requests that only waited for the unlocking. None whose key is locked away. Those that came during a
  /// suspension are at most refused: they wait for the owner's answer.
  /// - Parameter now: seconds since 1970.
  public func reconsider(now: Int64) -> [Reconsidered] {
    reconsidered(
      state.withLock { $0.reconsider(now: now) { $0.rule.isStop || [.locked, .presence].contains($0.rule) } }, now)
  }

  /// Asks the rules about all waiting requests of one pairing, after the rules changed. Leaves out those whose key is locked
  /// away.
  public func reconsider(_ remoteSigner: PublicKey, now: Int64) -> [Reconsidered] {
    reconsidered(state.withLock { $0.reconsider(now: now) { $0.remoteSigner == remoteSigner } }, now)
  }

  private func reconsidered(
    _ found: [(request: PendingRequest, servedKey: SignerState.ServedKey, pairing: Pairing, decision: Decision)], _ now: Int64
  ) -> [Reconsidered] {
    found.map { request, servedKey, pairing, decision in
      if decision.verdict == .ask { return .waits(request) }
      var exchange = Self.exchange(for: request, servedKey.channel, pairing, decision, now: now)
      exchange.facts = facts(of: request.method, request.parameters, for: pairing)
      return .decided(name: request.name, exchange)
    }
  }

  /// Makes an exchange wait whose key is not there, or that now needs the owner.
  func withoutKey(_ exchange: Exchange, now: Int64) -> Outcome {
    let rule = state.withLock { $0.isPaired(exchange) ? $0.reasonToWait(exchange) : nil }
    guard let rule, let request = PendingRequest(postponing: exchange, by: rule, now: now) else {
      return outcome(exchange, .error(ReplyText.locked), now: now)
    }
    switch state.withLock({ $0.enqueue(request) }) {
    case .new(let request): return Outcome(postponing: exchange.waiting(.wait(request), by: rule))
    case .again(let waiting): return Outcome(postponing: exchange.waiting(.waitStill(waiting), by: rule))
    case .full: return outcome(exchange, .error(ReplyText.queueFull), now: now)
    case .needless: return perform(exchange, now: now)  // unlocked meanwhile
    case .answered(let answer):
      // The owner was asked the same in the meantime.
      guard answer.isApproved else { return outcome(exchange, .error(ReplyText.userRejected), now: now) }
      var exchange = exchange
      exchange.shuttings = state.withLock { $0.shuttings }
      return perform(exchange, now: now)
    }
  }
}

extension Exchange {
  fileprivate func waiting(_ action: Action, by rule: Rule) -> Exchange {
    Exchange(
      channel: channel, client: client, identity: identity, eventID: eventID, createdAt: createdAt, method: method, kind: kind,
      decision: Decision(.ask, by: rule), replies: replies, relays: relays, action: action)
  }
}

extension Outcome {
  fileprivate init(postponing exchange: Exchange) {
    self.init(replies: [], signedEvent: nil, failed: false, waiting: [exchange])
  }
}

extension PendingRequest {
  /// The request of an exchange that was decided before it had to wait after all.
  init?(postponing exchange: Exchange, by rule: Rule, now: Int64) {
    guard let identity = exchange.identity, let method = exchange.method else { return nil }
    self.init(
      remoteSigner: exchange.channel.signer.publicKey, client: exchange.client,
      identity: identity, method: method, parameters: exchange.parameters, kind: exchange.kind, rule: rule,
      eventID: exchange.eventID, receivedAt: now, replies: exchange.replies)
  }
}
