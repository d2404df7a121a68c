/// Requests that came while their app was paused or the signer was locked down.
extension SignerState {
  /// Whether the owner paused the request's app, so that it is not to be heard. A lockdown is none of the owner's making and is heard.
  func isQuiet(_ request: PendingRequest) -> Bool {
    !conditions.isSuspended && servedKeys[request.remoteSigner]?.pairing?.grant.isSuspended == true
  }

  /// The rules' decision about a request that waits. Of one that came while it was stopped they at most refuse it: whoever stopped the app or
  /// the signer did not trust it then, so only the owner's own answer lets the request through.
  mutating func rejudge(_ request: PendingRequest, _ facts: RequestFacts, _ pairing: Pairing, now: Int64) -> Decision? {
    guard request.rule.isStop, !retired.contains(pairing.identity) else {
      return judge(facts, at: request.remoteSigner, now: now)
    }
    // Nothing is counted, because nothing is allowed.
    let decision = Policy.decision(for: facts, under: pairing.grant, at: now, in: conditions)
    return decision.verdict == .deny ? decision : Decision(.ask, by: request.rule)
  }
}
