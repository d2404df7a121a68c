package import Curve
package import Encodings
package import Nostr

/// Fetches requests from the relay that has them.
package struct RequestFetch {
  /// How far back other requests to the signer's keys are fetched, in seconds: an app that pairs sends its first requests at once.
  package static let lookBack: Int64 = 60
  /// The most requests that are fetched besides the one that was named.
  package static let most = 20
  /// How long the relay may take to list the others after it sent the named request, in milliseconds.
  package static let patience = 500
  /// The names of the subscriptions, before a login and after it. The named request has one of its own and is asked for first, so that
  /// others cannot crowd it out.
  private static let subscriptions: [(named: String, recent: String)] = [
    (named: "wake", recent: "wake-recent"), ("wake-again", "wake-recent-again"),
  ]

  private static let names = Set(subscriptions.flatMap { [$0.named, $0.recent] })

  let conversation: RelayConversation
  let milliseconds: Int
  let logIn: () -> Bool

  /// - Parameters:
  ///   - milliseconds: for one answer of the relay.
  ///   - logIn: logs in on this conversation, and says whether the relay accepted that.
  package init(_ conversation: RelayConversation, milliseconds: Int, loggingIn logIn: @escaping () -> Bool) {
    (self.conversation, self.milliseconds, self.logIn) = (conversation, milliseconds, logIn)
  }

  /// What the relay has of the named request and of others to the same keys, each once: the named one first, the others in no order.
  /// - Parameters:
  ///   - signers: the keys that requests may be addressed to.
  ///   - now: seconds since 1970.
  package func events(_ id: Bytes32, for signers: [PublicKey], now: Int64) -> [Event] {
    if let refusal = list(id, signers, now, as: 0), RelayConversation.wantsLogin(refusal), logIn() {
      _ = list(id, signers, now, as: 1)
    }
    return found(id)
  }

  /// - Returns: why the relay refuses; nil if it sent its lists, or did not end them in time.
  private func list(_ id: Bytes32, _ signers: [PublicKey], _ now: Int64, as index: Int) -> String? {
    let names = Self.subscriptions[index]
    conversation.say(.request(subscription: names.named, filters: [Filter(ids: [id])]))
    if !signers.isEmpty { conversation.say(.request(subscription: names.recent, filters: [Self.recent(signers, now)])) }
    let first: String?? = conversation.wait(milliseconds: milliseconds) { message in
      if case .event(names.named, let event) = message, event.id == id { return .some(nil) }
      return Self.end(of: names.named, message)
    }
    // The relay may not end its lists at all.
    if first == .some(nil), !signers.isEmpty {
      _ = conversation.wait(milliseconds: min(milliseconds, Self.patience)) { Self.end(of: names.recent, $0) }
    }
    return first ?? nil
  }

  private static func recent(_ signers: [PublicKey], _ now: Int64) -> Filter {
    var recent = Filter(kinds: [EventKind.remoteSigning], since: now - lookBack, limit: most)
    recent.tags = ["p": signers.map(\.hex)]
    return recent
  }

  private static func end(of name: String, _ message: RelayMessage) -> String?? {
    switch message {
    case .endOfStored(name): .some(nil)
    case .closed(name, let text): .some(text)
    default: nil
    }
  }

  /// The named one, and no more others than were asked for, whatever the relay sends.
  private func found(_ id: Bytes32) -> [Event] {
    var seen: Set<Bytes32> = []
    let all = conversation.takeEvents(of: Self.names).filter { seen.insert($0.id).inserted }
    return all.filter { $0.id == id } + all.filter { $0.id != id }.prefix(Self.most)
  }
}
