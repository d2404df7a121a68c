package import Curve
package import Nostr
import Platform
import Relays
package import Sockets

/// Reads from relays and publishes to them once, with its own connections: to all relays at the same time, each with a time
/// limit.
///
/// A relay from a published list is connected to only if its address is on the Internet.
package struct RelaySession {
  /// The time limit for opening a connection and for each answer, in milliseconds.
  static let patience = 6_000
  /// The most events that are read from one relay.
  private static let mostEvents = 64

  private let loop: EventLoop
  private let named: Set<WebSocketURL>

  /// - Parameter named: relays that the owner named. They may be on this machine or inside the owner's network.
  /// - Throws: if sockets cannot be set up.
  package init(named: [WebSocketURL]) throws(SocketError) {
    self.named = Set(named)
    loop = try EventLoop()
    loop.start()
  }

  /// - Returns: nil when the connection is open; otherwise the reason, in words.
  func open(_ connection: RelayClient, to relay: WebSocketURL) -> String? {
    switch connection.open(loop, relay, milliseconds: Self.patience, reachesInside: named.contains(relay)) {
    case nil: nil
    case .insideNetwork(let address)?: "\(CloseReason.insideNetwork(address: address)); if you mean it: --relay \(relay.text)"
    case let reason?: "\(reason)"
    }
  }

  package func end() { loop.stop(within: 1_000) }

  /// The events that relays sent.
  package struct Found: Sendable {
    /// The events as they arrived: not checked, from anybody, perhaps several times.
    package var events: [Event] = []
    /// Why a relay sent nothing, by its address.
    package var faults: [String: String] = [:]
  }

  /// Requests an author's events of some kinds.
  /// - Parameter login: without it, relays that require a login count as faults.
  package func fetch(_ kinds: [Int], by author: PublicKey, from relays: [WebSocketURL], _ login: RelayLogin? = nil) -> Found {
    fetch(Filter(authors: [author], kinds: kinds, limit: Self.mostEvents), by: author, from: relays, login)
  }

  private func fetch(_ filter: Filter, by author: PublicKey, from relays: [WebSocketURL], _ login: RelayLogin?) -> Found {
    let found = Locked(Found())
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

  /// Requests the events of several authors, of some kinds, without a login.
  /// - Parameter authors: at most 64, since no more events than that are read from one relay.
  package func fetch(_ kinds: [Int], byAnyOf authors: [PublicKey], from relays: [WebSocketURL]) -> Found {
    guard let first = authors.first else { return Found() }
    return fetch(Filter(authors: authors, kinds: kinds, limit: Self.mostEvents), by: first, from: relays, nil)
  }

  /// Offers each relay its events, one after the other.
  /// - Parameters:
  ///   - login: without it, relays that require a login refuse.
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
    let connection = RelayClient()
    defer { connection.close() }
    if let fault = open(connection, to: relay) { return .failure(Fault(text: fault)) }
    let answer = stored(filter, as: "hf-old", connection)
    guard case .failure(let fault) = answer, RelayClient.wantsLogin(fault.text), let login else { return answer }
    switch login.logIn(author, connection, to: relay, milliseconds: Self.patience) {
    case .loggedIn: return stored(filter, as: "hf-old-again", connection)
    case .notTaken: return answer
    case .notRecorded(let why): return .failure(Fault(text: why))
    }
  }

  /// The stored events of a relay for one subscription.
  private func stored(_ filter: Filter, as name: String, _ connection: RelayClient) -> Result<[Event], Fault> {
    connection.say(.request(subscription: name, filters: [filter]))
    let end: String?? = connection.wait(milliseconds: Self.patience) { message in
      switch message {
      case .endOfStored(name): .some(nil)
      case .closed(name, let text): .some(text)
      default: nil
      }
    }
    if let refusal = end ?? nil { return .failure(Fault(text: RelayClient.shown(refusal))) }
    var events: [Event] = []
    let _: Bool? = connection.wait(milliseconds: 0) { message in
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
    let connection = RelayClient()
    defer { connection.close() }
    var fault = open(connection, to: relay)
    // A relay may support only one logged-in author at a time.
    var loggedIn: PublicKey?
    for event in events {
      if let fault {
        answered(event, .init(relay: relay.text, isTaken: false, text: fault))
        continue
      }
      var answer = connection.publish(event, milliseconds: Self.patience)
      if let refusal = answer, !refusal.isTaken, RelayClient.wantsLogin(refusal.text), loggedIn != event.pubkey, let login {
        loggedIn = event.pubkey
        switch login.logIn(event.pubkey, connection, to: relay, milliseconds: Self.patience) {
        case .loggedIn: answer = connection.publish(event, milliseconds: Self.patience)
        case .notTaken: break
        case .notRecorded(let why): answer = (false, why)
        }
      }
      if answer == nil { fault = "no answer" }
      // A relay that already has the event may refuse it with `duplicate:`; NIP-01 wants it to accept with that word.
      let isTaken = answer.map { $0.isTaken || $0.text.hasPrefix("duplicate:") } ?? false
      answered(event, .init(relay: relay.text, isTaken: isTaken, text: answer.map { RelayClient.shown($0.text) } ?? "no answer"))
    }
  }

  /// Calls `body` for all relays at the same time, and waits for the end of all calls.
  func each(_ relays: [WebSocketURL], _ body: @escaping @Sendable (WebSocketURL) -> Void) {
    let threads = relays.map { relay in (relay, SystemThread.start { body(relay) }) }
    for (relay, thread) in threads {
      if let thread { thread.join() } else { body(relay) }
    }
  }
}
