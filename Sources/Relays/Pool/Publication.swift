import Nostr
import Platform

/// One answer that is sent to several relays. The first relay that accepts it decides the result; the others are still tried.
final class Publication: Sendable {
  /// Makes the answer again with a new time, nonce and signature. Nil when that is not possible.
  let refresh: @Sendable () -> Event?
  private let state: Locked<(open: Int, done: (@Sendable (Bool) -> Void)?)>

  /// - Parameter relays: the number of relays that will be tried.
  init(relays: Int, refresh: @escaping @Sendable () -> Event?, done: @escaping @Sendable (Bool) -> Void) {
    self.refresh = refresh
    state = Locked((relays, done))
  }

  /// Notes that one relay is finished.
  func settled(taken: Bool) {
    let done = state.withLock { state -> (@Sendable (Bool) -> Void)? in
      state.open -= 1
      guard taken || state.open <= 0 else { return nil }
      defer { state.done = nil }
      return state.done
    }
    done?(taken)
  }
}

/// The meaning of a relay's refusal (prefixes of NIP-01 and NIP-42).
enum Refusal: Equatable {
  /// The relay already has the event, which counts as accepted.
  case duplicate
  /// A later attempt may succeed.
  case later
  /// The relay requires a login first.
  case authenticate
  /// The relay will not accept it.
  case final

  init(_ message: String) {
    switch message.prefix(while: { $0 != ":" }) {
    case "duplicate": self = .duplicate
    case "rate-limited", "error": self = .later
    case "auth-required": self = .authenticate
    default: self = .final
    }
  }
}
