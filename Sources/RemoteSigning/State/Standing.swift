import Curve
import Nostr

/// The sender of an event to one of our keys, as far as it matters for the answer.
extension SignerState {
  enum Standing {
    /// The paired app.
    case app(Pairing)
    /// Anybody, at a link that no app has used.
    case newcomer
    /// The app whose pairing is being stored: its request was put aside for `takeNextHeld`.
    case connecting
    /// The same, with more requests than are put aside.
    case tooEarly
    /// Anybody else, at a key that an app has or had. Whether he was answered less than a minute ago.
    case outsider(isAnswered: Bool)
    /// The app of a pairing that ended, or anybody at a link that was withdrawn.
    case former(wasApp: Bool)
    case nobody
  }

  /// Whose request it is; counts the app's, and puts aside what comes while a pairing is being stored.
  mutating func standing(of arrival: Arrival) -> Standing {
    let key = arrival.remoteSigner
    if let pairing = recognise(author: arrival.client, at: key, now: arrival.now) { return .app(pairing) }
    switch servedKeys[key]?.use {
    case nil: return .nobody
    case .open?: return .newcomer
    case .claimed(_, let client)? where client == arrival.client: return hold(arrival) ? .connecting : .tooEarly
    case .ended(let ended)? where ended.client == arrival.client: return .former(wasApp: true)
    case .claimed?, .paired?, .ended?:
      guard mayAnswerOutsider(arrival.client, at: key, arrival.now) else { return .outsider(isAnswered: true) }
      let isWithdrawn = servedKeys[key]?.ended.map { $0.client == nil } ?? false
      return isWithdrawn ? .former(wasApp: false) : .outsider(isAnswered: false)
    }
  }

  /// An event of the app of a pairing that ended, verified: it counts against its answers, once.
  /// - Returns: why it is not answered, nil when it is.
  mutating func admitFormer(_ event: Event, at key: PublicKey, now: Int64) -> DropReason? {
    switch seen.insert(event.id, createdAt: event.createdAt, to: key, now: now) {
    case .new: return mayAnswerOutsider(event.pubkey, at: key, now) ? nil : .rateLimited
    case .full: return .overloaded
    case .seen:
      forged(at: key, now: now)  // a copy costs a check of its signature, and gets no answer
      return .alreadySeen
    }
  }

  // MARK: links and pairings that end

  /// Ends a pairing or link; its key goes on answering.
  /// - Returns: the requests that went with it.
  mutating func end(_ remoteSigner: PublicKey, now: Int64) -> [SigningEngine.EndedRequest] {
    guard let servedKey = servedKeys[remoteSigner], let ended = servedKey.use.ended(at: now) else { return [] }
    let waiting = pending.filter { $0.remoteSigner == remoteSigner }
    _ = close(remoteSigner)
    // A channel of its own: the old one holds the conversation's key.
    let channel = Channel(signer: servedKey.channel.signer)
    add(ended, channel, now: now)
    for arrival in servedKey.held { _ = hold(arrival) }
    return waiting.map { ($0, Exchange(ending: $0, channel, relays: ended.relays, ReplyText.pairingEnded)) }
  }
}

extension SignerState.ServedKey.Use {
  fileprivate func ended(at now: Int64) -> EndedPairing? {
    switch self {
    case .open(let link), .claimed(let link, _): EndedPairing(link, endedAt: now)
    case .paired(let pairing): EndedPairing(pairing, endedAt: now)
    case .ended: nil
    }
  }
}
