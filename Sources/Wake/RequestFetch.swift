import Curve
import Encodings
import Nostr
import Platform
import Relays
import RemoteSigning
import Sockets

/// Fetches requests from the relay that has them.
struct RequestFetch {
  /// How far back other requests to the signer's keys are fetched, in seconds: an app that pairs sends its first requests at once.
  static let lookBack: Int64 = 60
  /// The most requests that are fetched besides the one that was named.
  static let most = 20
  private static let subscription = "wake"

  let client: RelayClient
  let milliseconds: Int

  /// What the relay has of the named request and of others to the same keys, each once, in no order.
  /// - Parameter signers: the keys that requests may be addressed to.
  func events(_ id: Bytes32, for signers: [PublicKey], now: Int64) -> [Event] {
    var recent = Filter(kinds: [EventKind.remoteSigning], since: now - Self.lookBack, limit: Self.most)
    recent.tags = ["p": signers.map(\.hex)]
    client.say(
      .request(subscription: Self.subscription, filters: signers.isEmpty ? [Filter(ids: [id])] : [Filter(ids: [id]), recent]))
    _ = client.wait(milliseconds: milliseconds) { message -> Bool? in
      switch message {
      case .endOfStored(Self.subscription), .closed(Self.subscription, _): true
      default: nil
      }
    }
    return found(id)
  }

  /// The named one, and no more others than were asked for, whatever the relay sends.
  private func found(_ id: Bytes32) -> [Event] {
    var seen: Set<Bytes32> = []
    let all = client.all { message -> Event? in
      guard case .event(Self.subscription, let event) = message, seen.insert(event.id).inserted else { return nil }
      return event
    }
    return all.filter { $0.id == id } + all.filter { $0.id != id }.prefix(Self.most)
  }
}

/// Requests in the order in which they are processed.
enum RequestOrder {
  /// What an app sends to a link comes first: it pairs the app, whose other requests would be refused before. Then the oldest.
  static func ordered(_ events: [Event], links: Set<PublicKey>) -> [Event] {
    func rank(_ event: Event) -> Int { SigningEngine.recipient(of: event).map { links.contains($0) ? 0 : 1 } ?? 2 }
    return events.sorted { (rank($0), $0.createdAt) < (rank($1), $1.createdAt) }
  }
}
