package import Curve
package import Nostr
import Platform
import Relays
package import Sockets

/// Reads from relays and publishes to them once, by connections of its own. All relays at the same time, each within its time.
///
/// A relay that stands in a list somebody published is reached on the open Internet only.
package struct RelaySession {
  /// How long a relay may take to open a connection, and for each answer, in milliseconds.
  static let patience = 6_000
  /// The most events read of one relay.
  private static let mostEvents = 64

  private let loop: EventLoop
  private let named: Set<WebSocketURL>

  /// - Parameter named: relays that the owner named: they may lie on this machine or inside his network.
  /// - Throws: when the network cannot be used.
  package init(named: [WebSocketURL]) throws(SocketError) {
    self.named = Set(named)
    loop = try EventLoop()
    loop.start()
  }

  /// - Returns: why not, in words, when the connection is not open in time.
  func open(_ wire: RelayClient, to relay: WebSocketURL) -> String? {
    switch wire.open(loop, relay, milliseconds: Self.patience, reachesInside: named.contains(relay)) {
    case nil: nil
    case .insideNetwork(let address)?: "\(CloseReason.insideNetwork(address: address)); if you mean it: --relay \(relay.text)"
    case let reason?: "\(reason)"
    }
  }

  package func end() { loop.stop(within: 1_000) }

  /// What relays have.
  package struct Found: Sendable {
    /// As they came: from anybody, about anything, perhaps several times.
    package var events: [Event] = []
    /// Why nothing came of a relay.
    package var faults: [String: String] = [:]
  }

  /// Asks for an author's events of some kinds.
  /// - Parameter login: without it, relays that want one are faults.
  package func fetch(_ kinds: [Int], by author: PublicKey, from relays: [WebSocketURL], _ login: RelayLogin? = nil) -> Found {
    let found = Locked(Found())
    let filter = Filter(authors: [author], kinds: kinds, limit: Self.mostEvents)
    each(relays) { relay in
      let answer = read(filter, by: author, relay, login)
      found.withLock { found in
        switch answer {
        case .success(let events): found.events += events
        case .failure(let fault): found.faults[relay.text] = fault.text
        }
      }
    }
    return found.withLock { $0 }
  }

  /// Offers each relay its events, one after the other.
  /// - Parameters:
  ///   - login: without it, relays that want one refuse.
  ///   - answered: called on several threads.
  package func publish(
    to relays: [(WebSocketURL, [Event])], _ login: RelayLogin? = nil,
    _ answered: @escaping @Sendable (Event, Rotation.Answer) -> Void
  ) {
    let events = Dictionary(relays, uniquingKeysWith: { first, _ in first })
    each(relays.map(\.0)) { relay in offer(events[relay] ?? [], relay, login, answered) }
  }

  struct Fault: Error { let text: String }

  private func read(
    _ filter: Filter, by author: PublicKey, _ relay: WebSocketURL, _ login: RelayLogin?
  ) -> Result<[Event], Fault> {
    let wire = RelayClient()
    defer { wire.close() }
    if let fault = open(wire, to: relay) { return .failure(Fault(text: fault)) }
    let answer = stored(filter, as: "hf-old", wire)
    guard case .failure(let fault) = answer, RelayClient.wantsLogin(fault.text), let login else { return answer }
    switch login.logIn(author, wire, to: relay, milliseconds: Self.patience) {
    case .loggedIn: return stored(filter, as: "hf-old-again", wire)
    case .notTaken: return answer
    case .notRecorded(let why): return .failure(Fault(text: why))
    }
  }

  /// What a relay has kept, by one subscription.
  private func stored(_ filter: Filter, as name: String, _ wire: RelayClient) -> Result<[Event], Fault> {
    wire.say(.request(subscription: name, filters: [filter]))
    let end: String?? = wire.wait(milliseconds: Self.patience) { message in
      switch message {
      case .endOfStored(name): .some(nil)
      case .closed(name, let text): .some(text)
      default: nil
      }
    }
    if let refusal = end ?? nil { return .failure(Fault(text: RelayClient.shown(refusal))) }
    var events: [Event] = []
    let _: Bool? = wire.wait(milliseconds: 0) { message in
      if case .event(name, let event) = message { events.append(event) }
      return nil
    }
    if end == nil && events.isEmpty { return .failure(Fault(text: "no answer")) }
    return .success(events)
  }

  private func offer(
    _ events: [Event], _ relay: WebSocketURL, _ login: RelayLogin?, _ answered: (Event, Rotation.Answer) -> Void
  ) {
    guard !events.isEmpty else { return }
    let wire = RelayClient()
    defer { wire.close() }
    var fault = open(wire, to: relay)
    // A relay may know one author at a time only.
    var loggedIn: PublicKey?
    for event in events {
      if let fault {
        answered(event, .init(relay: relay.text, isTaken: false, text: fault))
        continue
      }
      var answer = wire.publish(event, milliseconds: Self.patience)
      if let refusal = answer, !refusal.isTaken, RelayClient.wantsLogin(refusal.text), loggedIn != event.pubkey, let login {
        loggedIn = event.pubkey
        switch login.logIn(event.pubkey, wire, to: relay, milliseconds: Self.patience) {
        case .loggedIn: answer = wire.publish(event, milliseconds: Self.patience)
        case .notTaken: break
        case .notRecorded(let why): answer = (false, why)
        }
      }
      if answer == nil { fault = "no answer" }
      // A relay that has it already may say so by a refusal; NIP-01 wants a yes with that word.
      let isTaken = answer.map { $0.isTaken || $0.text.hasPrefix("duplicate:") } ?? false
      answered(event, .init(relay: relay.text, isTaken: isTaken, text: answer.map { RelayClient.shown($0.text) } ?? "no answer"))
    }
  }

  /// Does the same for all relays at once, and waits for all.
  func each(_ relays: [WebSocketURL], _ body: @escaping @Sendable (WebSocketURL) -> Void) {
    let threads = relays.map { relay in (relay, SystemThread.start { body(relay) }) }
    for (relay, thread) in threads {
      if let thread { thread.join() } else { body(relay) }
    }
  }
}
