package import Nostr
import Platform
package import RelayConversations
package import Sockets

/// A short connection to one relay, for a few requests: it sends messages and waits for answers. For lasting connections see
/// `RelayPool`.
package final class RelayClient: WebSocketHandler {
  private let socket: Locked<WebSocket?>
  private let end = Locked<CloseReason?>(nil)
  /// What is said on the connection.
  package let conversation: RelayConversation

  package init() {
    let socket = Locked<WebSocket?>(nil)
    self.socket = socket
    conversation = RelayConversation { text in socket.withLock { $0 }?.send(text) }
  }

  /// Connects, and waits until the connection is open.
  /// - Parameter reachesInside: whether the relay may be on this machine or inside the owner's network: true for relays that the
  ///   owner named.
  /// - Returns: nil when the connection is open; otherwise the reason.
  package func open(_ loop: EventLoop, _ url: WebSocketURL, milliseconds: Int, reachesInside: Bool) -> CloseReason? {
    begin(loop, url, milliseconds: milliseconds, reachesInside: reachesInside)
    return faultOfOpening(within: milliseconds + 1_000)
  }

  /// Begins to connect, and does not wait. The other parameters are those of `open`.
  /// - Parameter milliseconds: how long connecting may take.
  package func begin(_ loop: EventLoop, _ url: WebSocketURL, milliseconds: Int, reachesInside: Bool) {
    var options = ConnectOptions(milliseconds: milliseconds)
    options.reachesInside = reachesInside
    let socket = loop.connect(to: url, options: options, handler: self)
    self.socket.withLock { $0 = socket }
  }

  /// Waits until the connection that was begun is open.
  /// - Returns: nil when it is; otherwise the reason.
  package func faultOfOpening(within milliseconds: Int) -> CloseReason? {
    conversation.waitUntilOpen(milliseconds: milliseconds) ? nil : end.withLock { $0 } ?? .timedOut
  }

  package func close() { socket.withLock { $0 }?.close() }

  package func opened(_ webSocket: WebSocket) { conversation.opened() }
  package func closed(_ webSocket: WebSocket, reason: CloseReason) {
    end.withLock { $0 = reason }
    conversation.ended()
  }
  package func received(_ webSocket: WebSocket, text: [UInt8]) { conversation.received(text) }
}

/// What is said on it.
extension RelayClient {
  package func say(_ message: ClientMessage) { conversation.say(message) }

  /// Waits for a message that `find` accepts. Nil if the time is over or the connection has ended.
  package func wait<Result>(milliseconds: Int, _ find: (RelayMessage) -> Result?) -> Result? {
    conversation.wait(milliseconds: milliseconds, find)
  }

  /// What `find` accepts of the messages so far, in their order.
  package func all<Result>(_ find: (RelayMessage) -> Result?) -> [Result] { conversation.all(find) }

  /// Subscribes. Returns the relay's refusal, or nil if it accepted.
  package func subscribe(_ name: String, _ filter: Filter, milliseconds: Int) -> String? {
    conversation.subscribe(name, filter, milliseconds: milliseconds)
  }

  /// Publishes an event and returns the relay's answer: whether it accepted, and its text. An earlier answer to the same event is
  /// dropped.
  package func publish(_ event: Event, milliseconds: Int) -> (isTaken: Bool, text: String)? {
    conversation.publish(event, milliseconds: milliseconds)
  }

  /// The relay's last challenge, which is the valid one (NIP-42). Waits for the first one.
  package func challenge(milliseconds: Int) -> String? { conversation.challenge(milliseconds: milliseconds) }
}
