import Curve
import Nostr
import Platform
import RelayConversations
import RemoteSigning

/// Connections to relays, each opened when it is first needed.
final class RelayConnections {
  /// How long one relay may take for one step, in milliseconds.
  static let longestStep: Int64 = 4_000
  /// What is kept of what a relay sends: an extension has 24 MB for everything.
  static let limits = RelayConversation.Limits(text: 256 << 10, bytes: 384 << 10)

  private let transport: any NotificationTransport
  private let engine: SigningEngine
  private let deadline: Int64
  private let now: Int64
  /// The connections that were tried. A relay that could not be reached has nil.
  private var open: [RelayURL: (conversation: RelayConversation, link: any RelayLink)?] = [:]

  /// - Parameters:
  ///   - engine: the signer's keys for relays that want a login (NIP-42).
  ///   - deadline: of `Clock.monotonicMilliseconds`; nothing is waited for beyond it.
  ///   - now: seconds since 1970, for logins.
  init(_ transport: any NotificationTransport, _ engine: SigningEngine, deadline: Int64, now: Int64) {
    (self.transport, self.engine, self.deadline, self.now) = (transport, engine, deadline, now)
  }

  /// The milliseconds that are left.
  var left: Int { Int(clamping: max(0, deadline - Clock.monotonicMilliseconds)) }

  private var leftForStep: Int { min(left, Int(Self.longestStep)) }

  /// - Returns: nil if the relay cannot be reached.
  private func conversation(_ relay: RelayURL) -> RelayConversation? {
    if let known = open[relay] { return known?.conversation }
    guard left > 0 else { return nil }
    let link = Locked<(any RelayLink)?>(nil)
    let conversation = RelayConversation(limits: Self.limits) { text in
      link.withLock { $0 }?.send(String(decoding: text, as: UTF8.self))
    }
    let made = transport.connect(to: relay, telling: RelayEvents(conversation))
    link.withLock { $0 = made }
    let isOpen = conversation.waitUntilOpen(milliseconds: leftForStep)
    if !isOpen { made.close() }
    open[relay] = .some(isOpen ? (conversation, made) : nil)
    return isOpen ? conversation : nil
  }

  /// The named request and others to the same keys. Nil if the relay cannot be reached.
  func events(_ push: PushPayload, for signers: [PublicKey]) -> [Event]? {
    guard let conversation = conversation(push.relay) else { return nil }
    let fetch = RequestFetch(conversation, milliseconds: leftForStep) { [self] in
      signers.contains { logIn(conversation, push.relay, as: $0) }
    }
    return fetch.events(push.eventID, for: signers, now: now)
  }

  /// Publishes an event, with a login where the relay wants one.
  /// - Returns: whether the relay took it.
  func publish(_ event: Event, on relay: RelayURL) -> Bool {
    guard let conversation = conversation(relay) else { return false }
    return conversation.publish(event, milliseconds: leftForStep) { logIn(conversation, relay, as: event.pubkey) }
  }

  private func logIn(_ conversation: RelayConversation, _ relay: RelayURL, as author: PublicKey) -> Bool {
    conversation.logIn(milliseconds: leftForStep) { challenge in
      let event = NIP42.event(relay: relay.text, challenge: challenge, author: author, now: now)
      return engine.transportKeys.first { $0.publicKey == author }.flatMap { try? event.signed(by: $0) }
    }
  }

  func close() { for case let known? in open.values { known.link.close() } }
}
