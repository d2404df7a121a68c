import Curve
import Encodings
import Nostr
import Platform
import Relays
import SecretMemory
package import Sockets

/// Whether a relay takes what a proxy asks for, tried on a connection of its own with keys that nobody has. Nothing is published.
package struct RelayTrial: Sendable {
  /// What the relay answers. Its texts are cut and cleaned: see `RelayClient.shown`.
  package enum Answer: Sendable, Equatable {
    /// There is no connection.
    case away(CloseReason)
    /// It takes as much as a proxy asks for on one connection, perhaps after a login.
    case takesAll(loggedIn: Bool)
    /// It takes a subscription for one key, and not as many subscriptions or keys. Its text is empty when it said nothing.
    case takesFew(String)
    /// It wants a login (NIP-42) before it takes a subscription, and does not take that of a key which it does not know.
    case wantsLogin(String)
    /// It ended the subscription (CLOSED).
    case closed(String)
    /// It said this (NOTICE) and neither took the subscription nor ended it.
    case noticed(String)
    /// It said nothing in time.
    case silent
  }

  /// The most keys in one subscription of a proxy, and the most of its subscriptions on one connection.
  package static let (keys, subscriptions) = (RelayPool.keysPerSubscription, WatchPlan.subscriptionsPerConnection)

  /// What became of one subscription.
  private enum Outcome { case taken, closed(String), unanswered }

  private let client = RelayClient()
  private let relay: WebSocketURL
  private let milliseconds: Int

  private init(_ relay: WebSocketURL, _ milliseconds: Int) { (self.relay, self.milliseconds) = (relay, milliseconds) }

  /// Tries all relays at the same time, and waits for their answers.
  /// - Parameter milliseconds: for each answer of a relay.
  package static func answers(of relays: [WebSocketURL], _ loop: EventLoop, milliseconds: Int) -> [Answer] {
    let answers = Locked<[Int: Answer]>([:])
    let threads = relays.enumerated().map { index, relay in
      SystemThread.start {
        let answer = RelayTrial(relay, milliseconds).answer(loop)
        answers.withLock { $0[index] = answer }
      }
    }
    for thread in threads { thread?.join() }
    let found = answers.withLock { $0 }
    return relays.indices.map { found[$0] ?? .silent }
  }

  private func answer(_ loop: EventLoop) -> Answer {
    defer { client.close() }
    if let reason = client.open(loop, relay, milliseconds: milliseconds, reachesInside: true) { return .away(reason) }
    switch ask("check") {
    case .taken: return room(loggedIn: false)
    case .unanswered: return client.challenge(milliseconds: 0) == nil ? notices.map(Answer.noticed) ?? .silent : afterLogin("")
    case .closed(let text): return RelayClient.wantsLogin(text) ? afterLogin(text) : .closed(RelayClient.shown(text))
    }
  }

  /// The relay may let any key in. That of the proxy is not known here.
  private func afterLogin(_ text: String) -> Answer {
    guard let key = try? KeyPair.random(),
      client.logIn(to: relay, milliseconds: milliseconds, { try? $0(key.publicKey).signed(by: key) }),
      case .taken = ask("check-again")
    else { return .wantsLogin(RelayClient.shown(text)) }
    return room(loggedIn: true)
  }

  /// Asks for as much as a proxy may: the most subscriptions, and the most keys in the first of them.
  private func room(loggedIn: Bool) -> Answer {
    client.say(.close(subscription: loggedIn ? "check-again" : "check"))
    let names = (0..<Self.subscriptions).map { "hf\($0)" }
    for name in names { request(name, keys: name == names[0] ? Self.keys : 1) }
    for name in names {
      switch outcome(of: name) {
      case .taken: continue
      case .closed(let text): return .takesFew(RelayClient.shown(text))
      case .unanswered: return .takesFew(notices ?? "")
      }
    }
    return .takesAll(loggedIn: loggedIn)
  }

  // MARK: one subscription

  private func ask(_ name: String) -> Outcome {
    request(name, keys: 1)
    return outcome(of: name)
  }

  /// With the filter that the proxy has for its keys.
  private func request(_ name: String, keys: Int) {
    let nobody = (0..<keys).map { _ in Hex.encode(SystemRandom.bytes(32)) }
    let filter = Filter(
      kinds: [EventKind.remoteSigning], since: max(0, Clock.seconds - RequestScreen.oldest), tags: ["p": nobody])
    client.say(.request(subscription: name, filters: [filter]))
  }

  private func outcome(of name: String) -> Outcome {
    client.wait(milliseconds: milliseconds) { message in
      switch message {
      case .endOfStored(name): .taken
      case .closed(name, let text): .closed(text)
      default: nil
      }
    } ?? .unanswered
  }

  /// The relay's last notice.
  private var notices: String? {
    client.all { if case .notice(let text) = $0 { RelayClient.shown(text) } else { nil } }.last
  }
}
