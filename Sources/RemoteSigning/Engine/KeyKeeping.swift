public import Curve
import Platform

/// How long the key of an identity stays in the engine.
public enum KeyKeeping: Sendable, Hashable {
  /// Through every lock, until a lockdown.
  case throughLocks
  /// While the session is open.
  case whileUnlocked
  /// Not at all: the owner proves presence for each use, and the key is given for that use only.
  case perUse
  /// Not at all: no device has the key, and the members of a group do together what it is for (`SigningEngine.jointTask`).
  case inGroup
}

extension SigningEngine {
  /// Sets how long the keys of identities stay; `.whileUnlocked` for those that are not named. Call it before the keys are set.
  public func setKeeping(_ keeping: [PublicKey: KeyKeeping]) {
    state.withLock { state in
      state.keeping = keeping
      keys.setKept(Set(keeping.filter { $0.value == .throughLocks }.keys))
    }
  }

  /// How long an identity's key stays.
  public func keeping(of identity: PublicKey) -> KeyKeeping { state.withLock { $0.keeping[identity] ?? .whileUnlocked } }

  /// Whether nothing can be done with an identity now, because its key is locked away. Never so for a key that is given per use,
  /// except in a lockdown.
  public func isKeyAway(_ identity: PublicKey) -> Bool { state.withLock { $0.isKeyAway(identity) } }
}

extension SignerState {
  func isKeyAway(_ identity: PublicKey) -> Bool {
    switch keeping[identity] ?? .whileUnlocked {
    case .throughLocks, .perUse: lock == .shut
    case .whileUnlocked, .inGroup: lock != .open
    }
  }

  /// Why a decided request has to wait after all: there was a lockdown since the owner approved it, or its key is not here.
  /// Nil when there is no reason.
  func reasonToWait(_ exchange: Exchange) -> Rule? {
    guard let identity = exchange.identity else { return nil }
    if isOvertaken(exchange) { return .lockedDown }
    if isKeyAway(identity) { return .locked }
    return keeping[identity] == .perUse ? .presence : nil
  }

  /// Whether there was a lockdown since the owner approved it.
  func isOvertaken(_ exchange: Exchange) -> Bool { exchange.shuttings.map { $0 != shuttings } ?? false }
}
