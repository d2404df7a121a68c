import Curve
import Encodings
import RemoteSigning

/// The engine as the app left it, and as earlier wakes changed it.
extension SigningEngine {
  /// - Parameters:
  ///   - entries: of the journal, the oldest first.
  ///   - now: seconds since 1970.
  convenience init(_ state: ExtensionState, _ entries: [JournalEntry], now: Int64) {
    self.init(acceptsNIP04: state.acceptsNIP04)
    setRules(state)
    setKeys(state.identities)
    for link in state.links { open(link.value, signer: link.signer, now: now) }
    for ended in state.ended { add(ended.value, signer: ended.signer, now: now) }
    for pairing in state.pairings { add(pairing.value, signer: pairing.signer, now: now) }
    repeatPairings(entries, Dictionary(state.links.map { ($0.signer.publicKey, $0.signer) }) { first, _ in first }, now: now)
    restoreCounts(state, entries, now: now)
  }

  private func setRules(_ state: ExtensionState) {
    setPolicySettings(state.settings)
    setSuspended(state.isSuspended)
    setOwnersRelays(state.ownersRelays)
    for signed in state.signed.values { setKnown(signed) }
  }

  /// Only keys that are with the extension are there: requests that need another one wait.
  private func setKeys(_ identities: [ExtensionState.Identity]) {
    setRetired(Set(identities.filter { if case .retired = $0.hold { true } else { false } }.map(\.publicKey)))
    var keeping: [PublicKey: KeyKeeping] = [:]
    for identity in identities { keeping[identity.publicKey] = identity.hold.keeping }
    setKeeping(keeping)
    lock()
    setIdentities(identities.compactMap { if case .open(let key) = $0.hold { key } else { nil } })
  }

  /// The pairings that earlier wakes made and ended.
  private func repeatPairings(_ entries: [JournalEntry], _ links: [PublicKey: KeyPair], now: Int64) {
    for entry in entries {
      if let pairing = entry.pairing, let signer = links[pairing.remoteSigner] {
        let earlier = pairings.filter { $0.client == pairing.client && $0.identity == pairing.identity }
        add(pairing, signer: signer, now: now)
        for earlier in earlier where earlier.remoteSigner != pairing.remoteSigner { _ = end(earlier.remoteSigner, now: now) }
      }
      if entry.hasLeft { _ = end(entry.remoteSigner, now: now) }
    }
  }

  private func restoreCounts(_ state: ExtensionState, _ entries: [JournalEntry], now: Int64) {
    for (signer, usage) in state.usage { restoreUsage(usage, of: signer, now: now) }
    for request in state.seen { restoreSeen(request.id, createdAt: request.createdAt) }
    for request in state.waiting { restore(request) }
    for entry in entries {
      restoreSeen(entry.eventID, createdAt: entry.createdAt)
      if let usage = entry.usage { restoreUsage(usage, of: entry.remoteSigner, now: now) }
      if let request = entry.waiting { put(request) }
      if let signed = entry.signed { setKnown(signed.coordinate) }
    }
  }

  /// A request that waits, instead of the same with fewer addresses to answer to.
  private func put(_ request: PendingRequest) {
    _ = withdrawPending(request.name)
    restore(request)
  }
}

extension ExtensionState.Hold {
  fileprivate var keeping: KeyKeeping {
    switch self {
    case .open: .throughLocks
    case .locked, .retired: .whileUnlocked
    case .presence: .perUse
    }
  }
}
