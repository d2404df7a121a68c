import Curve
import Nostr
import Platform
import Relays
import RemoteSigning
import Signer
import Sockets

/// Connections to relays, each opened when it is first needed.
final class RelaySessions {
  private let loop: EventLoop
  private let deadline: Int64
  private let engine: SigningEngine
  private var open: [WebSocketURL: RelayClient] = [:]
  /// Those that nobody has waited for yet.
  private var begun: [WebSocketURL: RelayClient] = [:]
  private var unreachable: Set<WebSocketURL> = []

  /// - Parameters:
  ///   - deadline: of `Clock.monotonicMilliseconds`; nothing is waited for beyond it.
  ///   - engine: which relays may be inside the owner's network, and the signer's keys for relays that want a login (NIP-42).
  init(_ loop: EventLoop, deadline: Int64, _ engine: SigningEngine) {
    (self.loop, self.deadline, self.engine) = (loop, deadline, engine)
  }

  /// How long one step with a relay may take, in milliseconds: to reach it, to hear what it has, or to send it an answer.
  private static let longestStep: Int64 = 4_000
  /// How long a wake waits for relays in all, in milliseconds: meanwhile nobody else has the vault, and the owner's commands wait for ten
  /// seconds.
  private static let patience: Int64 = 8_000

  /// The milliseconds that relays have taken so far.
  private var waited: Int64 = 0

  /// The milliseconds that are left.
  var left: Int { Int(clamping: max(0, deadline - Clock.monotonicMilliseconds)) }

  /// Whether relays may be waited for any longer.
  var isPatient: Bool { left > 0 && waited < Self.patience }

  /// Waits for a relay, in one step.
  /// - Parameters:
  ///   - end: of `Clock.monotonicMilliseconds`; what the step belongs to ends then.
  ///   - step: gets the milliseconds that it may take.
  func waiting<Result>(until end: Int64 = .max, _ step: (Int) -> Result) -> Result {
    let start = Clock.monotonicMilliseconds
    defer { waited += Clock.monotonicMilliseconds - start }
    let most = min(Self.longestStep, Self.patience - waited, min(end, deadline) - start)
    return step(Int(clamping: max(0, most)))
  }

  /// Whether a connection to any relay was open.
  var hasReachedOne: Bool { !open.isEmpty }

  /// Begins to connect, so that the connection is there when there is something to send.
  func begin(_ relay: WebSocketURL) {
    guard open[relay] == nil, begun[relay] == nil, isPatient else { return }
    let client = RelayClient()
    client.begin(loop, relay, milliseconds: Int(Self.longestStep), reachesInside: engine.mayBeInside(relay))
    begun[relay] = client
  }

  /// - Returns: nil if the relay cannot be reached.
  func client(_ relay: WebSocketURL, until end: Int64 = .max) -> RelayClient? {
    if let client = open[relay] { return client }
    guard !unreachable.contains(relay), isPatient, Clock.monotonicMilliseconds < end else { return nil }
    begin(relay)
    guard let client = begun.removeValue(forKey: relay), waiting(until: end, client.faultOfOpening) == nil else {
      unreachable.insert(relay)
      return nil
    }
    open[relay] = client
    return client
  }

  /// Publishes an event on the first of the relays that takes it. All of them together have the time of one step: a relay that keeps silent
  /// may have the event, and others wait for their turn.
  /// - Returns: whether a relay took it.
  func publish(_ event: Event, on relays: [WebSocketURL]) -> Bool {
    let end = Clock.monotonicMilliseconds + Self.longestStep
    return relays.contains { publish(event, on: $0, until: end) }
  }

  /// With a login where the relay wants one.
  private func publish(_ event: Event, on relay: WebSocketURL, until end: Int64) -> Bool {
    guard let client = client(relay, until: end) else { return false }
    guard let answer = waiting(until: end, { client.publish(event, milliseconds: $0) }) else { return false }
    guard !answer.isTaken, RelayClient.wantsLogin(answer.text), logIn(client, relay, as: event.pubkey, until: end) else {
      return answer.isTaken
    }
    return waiting(until: end) { client.publish(event, milliseconds: $0) }?.isTaken ?? false
  }

  /// Logs in to a relay as one of the signer's keys.
  /// - Returns: whether the relay accepted it.
  func logIn(_ client: RelayClient, _ relay: WebSocketURL, as author: PublicKey, until end: Int64 = .max) -> Bool {
    waiting(until: end) { milliseconds in
      client.logIn(to: relay, milliseconds: milliseconds) { event in
        engine.transportKeys.first { $0.publicKey == author }.flatMap { try? event(author).signed(by: $0) }
      }
    }
  }

  func close() { for client in [open, begun].flatMap(\.values) { client.close() } }
}

extension SigningEngine {
  /// Whether the relay may be on this machine or in the owner's network.
  fileprivate func mayBeInside(_ relay: WebSocketURL) -> Bool { relaysInside.contains { $0.isSame(as: relay) } }
}
