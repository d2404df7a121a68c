import Encodings
package import Nostr
import Platform

/// A short conversation with one relay, for a few requests: messages are sent, and received ones are kept until somebody looks for them.
///
/// It knows no sockets: whoever owns the connection says when it is open, what came, and when it has ended, from any thread.
package final class RelayConversation: Sendable {
  /// What is kept of received messages. A relay that sends more is hostile.
  package struct Limits: Sendable {
    /// The longest message, in bytes; longer ones are dropped.
    package var text: Int
    /// The most bytes of events that are kept, and as many of other messages; later ones are dropped. A flood of events does not keep the
    /// relay's answers out.
    package var bytes: Int

    package init(text: Int = .max, bytes: Int = 4 << 20) { (self.text, self.bytes) = (text, bytes) }
  }

  private enum Step<Result> { case found(Result), gone }

  private struct State {
    var isOpen = false
    var hasEnded = false
    var messages: [RelayMessage] = []
    var eventBytes = 0
    var otherBytes = 0
  }

  private let state = Locked(State())
  private let limits: Limits
  private let send: @Sendable ([UInt8]) -> Void

  /// - Parameter send: sends one text. Called on the thread that speaks; it does not wait.
  package init(limits: Limits = Limits(), send: @escaping @Sendable ([UInt8]) -> Void) {
    (self.limits, self.send) = (limits, send)
  }

  // MARK: the connection

  /// The connection is open.
  package func opened() { state.change { $0.isOpen = true } }

  /// The connection has ended, or could not be made.
  package func ended() { state.change { $0.hasEnded = true } }

  /// A text came. What is no message of NIP-01 is dropped.
  package func received(_ text: [UInt8]) {
    guard text.count <= limits.text, let message = try? RelayMessage(parsing: text) else { return }
    let isEvent = if case .event = message { true } else { false }
    state.change { state in
      let place = isEvent ? \State.eventBytes : \State.otherBytes
      guard state[keyPath: place] < limits.bytes else { return }
      state[keyPath: place] += text.count + 64
      state.messages.append(message)
    }
  }

  /// Waits until the connection is open.
  /// - Returns: false if it is not in that time, or has ended.
  package func waitUntilOpen(milliseconds: Int) -> Bool {
    state.wait(milliseconds: milliseconds) { $0.isOpen || $0.hasEnded ? $0.isOpen : nil } ?? false
  }

  // MARK: messages

  package func say(_ message: ClientMessage) { send(message.json()) }

  /// Waits for a message that `find` accepts. Nil if the time is over or the connection has ended.
  package func wait<Result>(milliseconds: Int, _ find: (RelayMessage) -> Result?) -> Result? {
    let step = state.wait(milliseconds: milliseconds) { state -> Step<Result>? in
      for message in state.messages { if let found = find(message) { return .found(found) } }
      return state.hasEnded ? .gone : nil
    }
    if case .found(let result)? = step { return result }
    return nil
  }

  /// What `find` accepts of the messages so far, in their order.
  package func all<Result>(_ find: (RelayMessage) -> Result?) -> [Result] { state.withLock { $0.messages.compactMap(find) } }

  /// The events of the subscriptions so far, in their order. They are not kept any longer.
  package func takeEvents(of subscriptions: Set<String>) -> [Event] {
    state.withLock { state in
      var taken: [Event] = []
      state.messages.removeAll { message in
        guard case .event(let name, let event) = message, subscriptions.contains(name) else { return false }
        taken.append(event)
        return true
      }
      if !state.messages.contains(where: { if case .event = $0 { true } else { false } }) { state.eventBytes = 0 }
      return taken
    }
  }

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
}
