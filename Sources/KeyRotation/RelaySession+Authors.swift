package import Curve
import Nostr
import Platform
import Relays
package import Sockets

extension RelaySession {
  /// The authors that relays know.
  package struct Known: Sendable {
    /// The authors of whom a relay has sent a valid event. A relay's claim alone is not enough.
    package var authors: Set<PublicKey> = []
    /// Why a relay gave no answer, by its address.
    package var faults: [String: String] = [:]

    package init() {}
  }

  /// The most subscriptions at once. Relays usually allow ten.
  private static let mostSubscriptions = 8

  /// Asks relays for one event of each author.
  package func known(_ authors: [PublicKey], at relays: [WebSocketURL]) -> Known {
    let known = Locked(Known())
    each(relays) { relay in
      let answer = ask(relay, authors)
      known.withLock { known in
        switch answer {
        case .success(let found): known.authors.formUnion(found)
        case .failure(let fault): known.faults[relay.text] = fault.text
        }
      }
    }
    return known.withLock { $0 }
  }

  private func ask(_ relay: WebSocketURL, _ authors: [PublicKey]) -> Result<Set<PublicKey>, Fault> {
    let connection = RelayClient()
    defer { connection.close() }
    if let fault = open(connection, to: relay) { return .failure(Fault(text: fault)) }
    var (found, rest) = (Set<PublicKey>(), authors[...])
    while !rest.isEmpty {
      let some = Dictionary(uniqueKeysWithValues: rest.prefix(Self.mostSubscriptions).map { ("hf-\($0.hex.prefix(16))", $0) })
      rest = rest.dropFirst(Self.mostSubscriptions)
      // Each author has its own subscription, because relays apply the limit of one filter to the whole subscription.
      for (name, author) in some { connection.say(.request(subscription: name, filters: [Filter(authors: [author], limit: 1)])) }
      for name in some.keys {
        if let fault = end(of: name, connection) { return .failure(fault) }
        connection.say(.close(subscription: name))
      }
      let _: Bool? = connection.wait(milliseconds: 0) { message in
        if case .event(let name, let event) = message, event.pubkey == some[name], (try? event.verify()) != nil {
          found.insert(event.pubkey)
        }
        return nil
      }
    }
    return .success(found)
  }

  /// Waits until a relay has sent all stored events.
  private func end(of name: String, _ connection: RelayClient) -> Fault? {
    let end: String?? = connection.wait(milliseconds: Self.patience) { message in
      switch message {
      case .endOfStored(name): .some(nil)
      case .closed(name, let text): .some(text)
      default: nil
      }
    }
    guard let end else { return Fault(text: "no answer") }
    return end.map { Fault(text: RelayClient.shown($0)) }
  }
}
