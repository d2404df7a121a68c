import Curve

/// What apps used up of their limits.
extension SignerState {
  /// Counts a request that uses no key. The app's limits hold for these, too, with counts of their own.
  /// - Returns: the limit that it would break; then it is not counted.
  mutating func countKeyless(_ method: Method, at remoteSigner: PublicKey, now: Int64) -> Rule? {
    guard let grant = servedKeys[remoteSigner]?.pairing?.grant, !grant.limits.isEmpty else { return nil }
    let facts = RequestFacts(method: method, kind: nil)
    var used = keyless[remoteSigner] ?? Usage()
    if let rule = used.exceeded(by: facts, under: grant, at: now) { return rule }
    used.count(facts, under: grant, at: now)
    keyless[remoteSigner] = used
    return nil
  }

  /// The usage of apps whose requests were counted since the last call.
  mutating func takeCounted() -> [PublicKey: Usage] {
    defer { countedAnew = [] }
    return usage.filter { countedAnew.contains($0.key) }
  }

  /// Marks these counts as changed again, because they could not be stored.
  mutating func countAgain(_ remoteSigners: some Collection<PublicKey>) { countedAnew.formUnion(remoteSigners) }
}
