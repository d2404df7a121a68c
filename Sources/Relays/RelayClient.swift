import Encodings
package import Nostr
import Platform
package import Sockets

/// A connection of its own to one relay, for a few questions: it says what it is told and waits for what comes. What stays connected is a
/// `RelayPool`.
package final class RelayClient: WebSocketHandler {
  /// Bytes of messages that are kept; a relay that sends more does not mean well.
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

  /// - Parameter reachesInside: whether the relay may lie on this machine or inside the owner's network: for those that he named.
  /// - Returns: why not, when the connection is not open in time.
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

  /// Waits for a message that `find` recognises. Nil after the time, or when the connection is gone.
  package func wait<Result>(milliseconds: Int, _ find: (RelayMessage) -> Result?) -> Result? {
    let step = state.wait(milliseconds: milliseconds) { state -> Step<Result>? in
      for message in state.messages { if let found = find(message) { return .found(found) } }
      return state.end == nil ? nil : .gone
    }
    if case .found(let result)? = step { return result }
    return nil
  }

  /// Subscribes; the relay's refusal, nil when it took it.
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

  /// The answer to an event: whether it was taken, and what was said. An earlier answer to the same event is dropped.
  package func publish(_ event: Event, milliseconds: Int) -> (isTaken: Bool, text: String)? {
    state.withLock { state in
      state.messages.removeAll { if case .ok(event.id, _, _) = $0 { true } else { false } }
    }
    say(.event(event))
    return wait(milliseconds: milliseconds) { message in
      if case .ok(event.id, let accepted, let text) = message { (accepted, text) } else { nil }
    }
  }

  /// The challenge that the relay sent last, which is the one that holds (NIP-42). Waits for the first.
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
