package import Curve
import Nostr
import Platform
import Relays
package import Sockets

extension RelaySession {
  /// What relays know of authors.
  package struct Known: Sendable {
    /// Those of whom a relay has any event. It has shown one: nobody can make somebody known by saying so.
    package var authors: Set<PublicKey> = []
    /// Why a relay did not tell.
    package var faults: [String: String] = [:]

    package init() {}
  }

  /// The most subscriptions at a time: relays commonly take ten.
  private static let mostSubscriptions = 8

  /// Asks relays which of these authors they have any event of, one event each.
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
    let wire = RelayClient()
    defer { wire.close() }
    if let fault = open(wire, to: relay) { return .failure(Fault(text: fault)) }
    var (found, rest) = (Set<PublicKey>(), authors[...])
    while !rest.isEmpty {
      let some = Dictionary(uniqueKeysWithValues: rest.prefix(Self.mostSubscriptions).map { ("hf-\($0.hex.prefix(16))", $0) })
      rest = rest.dropFirst(Self.mostSubscriptions)
      // Each by a subscription of its own: relays apply the limit of one filter to all of a subscription's.
      for (name, author) in some { wire.say(.request(subscription: name, filters: [Filter(authors: [author], limit: 1)])) }
      for name in some.keys {
        if let fault = end(of: name, wire) { return .failure(fault) }
        wire.say(.close(subscription: name))
      }
      let _: Bool? = wire.wait(milliseconds: 0) { message in
        if case .event(let name, let event) = message, event.pubkey == some[name], (try? event.verify()) != nil {
          found.insert(event.pubkey)
        }
        return nil
      }
    }
    return .success(found)
  }

  /// Waits until a relay has sent what it has.
  private func end(of name: String, _ wire: RelayClient) -> Fault? {
    let end: String?? = wire.wait(milliseconds: Self.patience) { message in
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
