internal import Nostr
internal import Platform

/// One answer on its way to several relays. The first that takes it settles the matter; the others are still tried.
final class Publication: Sendable {
  /// Makes the answer again: new time, nonce and signature. Nil when that cannot be done.
  let refresh: @Sendable () -> Event?
  private let state: Locked<(open: Int, done: (@Sendable (Bool) -> Void)?)>

  /// - Parameter relays: how many relays will be tried.
  init(relays: Int, refresh: @escaping @Sendable () -> Event?, done: @escaping @Sendable (Bool) -> Void) {
    self.refresh = refresh
    state = Locked((relays, done))
  }

  /// One relay is through with it.
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

/// What a relay's refusal means (the prefixes of NIP-01 and NIP-42).
enum Refusal: Equatable {
  /// It has the event already: as good as taken.
  case duplicate
  /// Later may help.
  case later
  /// It wants to know who we are first.
  case authenticate
  /// It will not take this.
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
