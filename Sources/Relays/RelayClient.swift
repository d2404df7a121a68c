import Encodings
package import Nostr
import Platform
package import Sockets

/// A short connection to one relay, for a few requests: it sends messages and waits for answers. For lasting connections see
/// `RelayPool`.
package final class RelayClient: WebSocketHandler {
  /// The most bytes of received messages that are kept. A relay that sends more is hostile.
  private static let mostBytes = 4 << 20

  private enum Step<Result> { case found(Result), gone }

  private struct State {
    var isOpen = false
    var end: CloseReason?
    var messages: [RelayMessage] = []
    var bytes = 0
  }
  package init() {}

  private let state = Locked(State())
  private let socket = Locked<WebSocket?>(nil)

  /// - Parameter reachesInside: whether the relay may be on this machine or inside the owner's network: true for relays that the
  ///   owner named.
  /// - Returns: nil when the connection is open; otherwise the reason.
  package func open(_ loop: EventLoop, _ url: WebSocketURL, milliseconds: Int, reachesInside: Bool) -> CloseReason? {
    var options = ConnectOptions(milliseconds: milliseconds)
    options.reachesInside = reachesInside
    let socket = loop.connect(to: url, options: options, handler: self)
    self.socket.withLock { $0 = socket }
    _ = state.wait(milliseconds: milliseconds + 1_000) { $0.isOpen || $0.end != nil ? true : nil }
    return state.withLock { $0.isOpen ? nil : $0.end ?? .timedOut }
  }

  package func close() { socket.withLock { $0 }?.close() }

  package func say(_ message: ClientMessage) { socket.withLock { $0 }?.send(message.json()) }

  /// Waits for a message that `find` accepts. Nil if the time is over or the connection has ended.
  package func wait<Result>(milliseconds: Int, _ find: (RelayMessage) -> Result?) -> Result? {
    let step = state.wait(milliseconds: milliseconds) { state -> Step<Result>? in
      for message in state.messages { if let found = find(message) { return .found(found) } }
      return state.end == nil ? nil : .gone
    }
    if case .found(let result)? = step { return result }
    return nil
  }

  /// What `find` accepts of the messages so far, in their order.
  package func all<Result>(_ find: (RelayMessage) -> Result?) -> [Result] { state.withLock { $0.messages.compactMap(find) } }

  /// Subscribes. Returns the relay's refusal, or nil if it accepted.
  package func subscribe(_ name: String, _ filter: Filter, milliseconds: Int) -> String? {
    say(.request(subscription: name, filters: [filter]))
    let answer: String?? = wait(milliseconds: milliseconds) { message in
      switch message {
      case .endOfStored(name): .some(nil)
      case .closed(name, let text): .some(text)
      default: nil
      }
    }
    return answer ?? nil
  }

  /// Publishes an event and returns the relay's answer: whether it accepted, and its text. An earlier answer to the same event is
  /// dropped.
  package func publish(_ event: Event, milliseconds: Int) -> (isTaken: Bool, text: String)? {
    state.withLock { state in
      state.messages.removeAll { if case .ok(event.id, _, _) = $0 { true } else { false } }
    }
    say(.event(event))
    return wait(milliseconds: milliseconds) { message in
      if case .ok(event.id, let accepted, let text) = message { (accepted, text) } else { nil }
    }
  }

  /// The relay's last challenge, which is the valid one (NIP-42). Waits for the first one.
  package func challenge(milliseconds: Int) -> String? {
    let first: String? = wait(milliseconds: milliseconds) { if case .auth(let challenge) = $0 { challenge } else { nil } }
    guard first != nil else { return nil }
    return state.withLock { state in
      for case .auth(let challenge) in state.messages.reversed() { return challenge }
      return nil
    }
  }

  package func opened(_ webSocket: WebSocket) { state.change { $0.isOpen = true } }
  package func closed(_ webSocket: WebSocket, reason: CloseReason) { state.change { $0.end = reason } }
  package func received(_ webSocket: WebSocket, text: [UInt8]) {
    guard let message = try? RelayMessage(parsing: text) else { return }
    state.change { state in
      guard state.bytes < Self.mostBytes else { return }
      state.bytes += text.count + 64
      state.messages.append(message)
    }
  }
}
