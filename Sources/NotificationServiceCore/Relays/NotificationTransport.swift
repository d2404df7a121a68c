import Encodings
import Platform
import RelayConversations
public import RemoteSigning

/// Connections to relays, as the host makes them: on an iPhone with `URLSessionWebSocketTask`.
///
/// No call may wait: the time of a wake is kept by `NotificationService`, which waits for what comes. A transport that never says anything
/// costs only time.
public protocol NotificationTransport: Sendable {
  /// Begins to connect, and returns at once.
  /// - Parameters:
  ///   - relay: one that an app or a link of the owner's names. An address of the owner's own network is among them only if the owner chose it.
  ///   - events: to be told what happens, from any thread.
  func connect(to relay: RelayURL, telling events: RelayEvents) -> any RelayLink
}

/// One connection to a relay.
public protocol RelayLink: Sendable {
  /// Sends one text message, and returns at once. What cannot be sent is dropped.
  func send(_ text: String)
  /// Ends the connection.
  func close()
}

/// What happens on a connection.
public final class RelayEvents: Sendable {
  private let conversation: RelayConversation

  init(_ conversation: RelayConversation) { self.conversation = conversation }

  /// The connection is open: texts can be sent.
  public func opened() { conversation.opened() }

  /// A text message came. Those that are too long, or no messages of NIP-01, are dropped.
  public func received(_ text: String) { conversation.received(Array(text.utf8)) }

  /// The connection has ended, or could not be made.
  public func ended() { conversation.ended() }
}
