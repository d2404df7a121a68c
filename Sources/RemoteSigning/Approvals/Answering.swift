public import Curve
public import Encodings
import Nostr
import Platform

/// The owner's answers to requests that wait.
extension SigningEngine {
  /// Takes a waiting request out of the queue with the owner's answer, which holds for the same request asked again for a while.
  /// - Parameters:
  ///   - key: for an identity whose key is given per use: its key, for this one. Ignored for others.
  ///   - now: seconds since 1970; a note that was to be signed "now" is dated so.
  /// - Returns: an exchange to record and perform. Nil when no such request waits (it may have been answered already), or when an
  ///   approval finds the signer locked, or is not given the key it needs: the request waits on then.
  public func answerPending(_ name: String, approve: Bool, key: KeyPair? = nil, now: Int64) -> Exchange? {
    let found = state.withLock { state in
      let found = state.answerPending(name, approve: approve, key: key?.publicKey, now: now)
      // Within the lock: a lock of the signer that comes after this finds it.
      if approve, let key, let found, state.keeping[found.request.identity] == .perUse {
        keys.give(key, for: found.request.eventID)
      }
      return found.map { ($0.request, $0.servedKey, $0.pairing, $0.answer, state.shuttings) }
    }
    guard let (request, servedKey, pairing, answer, shuttings) = found else { return nil }
    let decision = approve ? Decision(.allow, by: .ownerApproved) : Decision(.deny, by: .ownerRefused)
    var exchange = Self.exchange(for: request, servedKey.channel, pairing, decision, now: answer.answeredAt)
    exchange.answer = answer
    if approve { exchange.shuttings = shuttings }
    if !exchange.action.usesKey { keys.dropGiven(for: request.eventID) }
    return exchange
  }

  /// A request that waited, with the answer it got.
  static func exchange(
    for request: PendingRequest, _ channel: Channel, _ pairing: Pairing, _ decision: Decision, now: Int64
  ) -> Exchange {
    let action = action(request, pairing, decision, now)
    return Exchange(
      channel: channel, client: request.client, identity: request.identity, eventID: request.eventID,
      createdAt: request.receivedAt, method: request.method, kind: request.kind, decision: decision, replies: request.replies,
      relays: pairing.relays, action: action, parameters: request.parameters)
  }

  private static func action(
    _ request: PendingRequest, _ pairing: Pairing, _ decision: Decision, _ now: Int64
  ) -> Exchange.Action {
    guard decision.verdict == .allow else {
      return .answer(.error(ReplyText.refusal(by: decision.rule)))
    }
    do {
      return .use(try Operation(request.method, request.parameters, for: pairing).dated(askedAt: request.receivedAt, now: now))
    } catch { return .answer(.error(error.text)) }
  }

  // MARK: recent answers

  /// Restores an answer that was stored before a restart.
  public func restore(_ answer: OwnerAnswer) {
    state.withLock { state in
      state.answers.remember(answer)
      if state.conditions.isSuspended { state.answers.forgetApprovals() }
    }
  }

  /// Forgets an answer that had no effect: it could not be recorded, or the signer was locked before it was carried out.
  public func forgetAnswer(to eventID: Bytes32) { state.withLock { $0.answers.forget(eventID) } }

  /// Forgets the answers that are too old to matter.
  /// - Returns: the ids of the requests whose answers are forgotten, by this or by other causes; remove them from storage.
  public func expireAnswers(now: Int64) -> [Bytes32] { state.withLock { $0.answers.expire(now: now) } }

  // MARK: requests without an answer

  /// Removes the requests from the queue that waited too long.
  /// - Returns: for each its name and the exchange that tells its app so. Nothing is decided by it: record it as dropped.
  public func takeExpired(now: Int64) -> [EndedRequest] {
    state.withLock { state in state.ending(state.expirePending(now: now), ReplyText.unanswered) }
  }

  /// Tells apps to ask again whose stored requests may have been answered already.
  /// - Returns: what goes back to them; nothing where the pairing is gone.
  public func forgetting(_ requests: [PendingRequest]) -> [EndedRequest] {
    state.withLock { $0.ending(requests, ReplyText.forgotten) }
  }
}

extension SignerState {
  fileprivate func ending(_ requests: [PendingRequest], _ text: String) -> [SigningEngine.EndedRequest] {
    requests.compactMap { request in
      guard let servedKey = servedKeys[request.remoteSigner], let pairing = servedKey.pairing else { return nil }
      return (request, Exchange(ending: request, servedKey.channel, relays: pairing.relays, text))
    }
  }

  /// A waiting request taken out of the queue, with the memory of recent answers.
  mutating func answerPending(
    _ name: String, approve: Bool, key: PublicKey?, now: Int64
  ) -> (request: PendingRequest, servedKey: ServedKey, pairing: Pairing, answer: OwnerAnswer)? {
    if approve {
      guard let identity = pending.first(where: { $0.name == name })?.identity, !isKeyAway(identity) else { return nil }
      if keeping[identity] == .perUse, key != identity { return nil }
    }
    guard let request = takePending(name), let servedKey = servedKeys[request.remoteSigner], let pairing = servedKey.pairing
    else { return nil }
    let answer = OwnerAnswer(to: request, isApproved: approve, answeredAt: approve ? dated(request, now) : now)
    answers.remember(answer)
    return (request, servedKey, pairing, answer)
  }

  // Two replaceable events may be approved within one second. Relays must then also take the later one for the later one.
  private mutating func dated(_ request: PendingRequest, _ now: Int64) -> Int64 {
    guard let kind = request.kind, EventKind.isReplaceable(kind) || EventKind.isAddressable(kind) else { return now }
    var time = now
    if let last = lastApproval[request.identity], last >= now, last - now < OwnerAnswer.toleratedStep { time = last + 1 }
    lastApproval[request.identity] = time
    return time
  }
}
