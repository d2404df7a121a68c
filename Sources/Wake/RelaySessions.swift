import Curve
import Nostr
import Platform
import RelayConversations
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
  private var unreachable: Set<WebSocketURL> = []

  /// - Parameters:
  ///   - deadline: of `Clock.monotonicMilliseconds`; nothing is waited for beyond it.
  ///   - engine: which relays may be inside the owner's network, and the signer's keys for relays that want a login (NIP-42).
  init(_ loop: EventLoop, deadline: Int64, _ engine: SigningEngine) {
    (self.loop, self.deadline, self.engine) = (loop, deadline, engine)
  }

  /// How long one relay may take to be reached, and then to say what it has, in milliseconds: meanwhile nobody else has the vault.
  private static let longestWait: Int64 = 4_000

  /// The milliseconds that are left.
  var left: Int { Int(clamping: max(0, deadline - Clock.monotonicMilliseconds)) }

  /// The milliseconds that are left for one step with a relay.
  var leftForStep: Int { min(left, Int(Self.longestWait)) }

  /// - Returns: nil if the relay cannot be reached.
  func client(_ relay: WebSocketURL) -> RelayClient? {
    if let client = open[relay] { return client }
    guard !unreachable.contains(relay), left > 0 else { return nil }
    let client = RelayClient()
    guard client.open(loop, relay, milliseconds: leftForStep, reachesInside: engine.mayBeInside(relay)) == nil else {
      unreachable.insert(relay)
      return nil
    }
    open[relay] = client
    return client
  }

  /// Publishes an event, with a login where the relay wants one.
  /// - Returns: whether the relay took it.
  func publish(_ event: Event, on relay: WebSocketURL) -> Bool {
    guard let client = client(relay) else { return false }
    return client.conversation.publish(event, milliseconds: left) { logIn(client, relay, as: event.pubkey) }
  }

  /// Logs in to a relay as one of the signer's keys.
  /// - Returns: whether the relay accepted it.
  func logIn(_ client: RelayClient, _ relay: WebSocketURL, as author: PublicKey) -> Bool {
    client.logIn(to: relay, milliseconds: left) { event in
      engine.transportKeys.first { $0.publicKey == author }.flatMap { try? event(author).signed(by: $0) }
    }
  }

  func close() { for client in open.values { client.close() } }
}

extension SigningEngine {
  /// Whether the relay may be on this machine or in the owner's network.
  fileprivate func mayBeInside(_ relay: WebSocketURL) -> Bool { relaysInside.contains { $0.isSame(as: relay) } }
}
