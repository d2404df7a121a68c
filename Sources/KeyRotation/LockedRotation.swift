package import Nostr
import Platform

/// A rotation that is changed by one thread for each relay.
package struct LockedRotation: Sendable {
  private let rotation: Locked<Rotation>

  package init(_ rotation: Rotation) { self.rotation = Locked(rotation) }

  package var value: Rotation { rotation.withLock { $0 } }

  /// Records an answer and stores it. If that fails, it is stored with the next one.
  package func note(_ answer: Rotation.Answer, to event: Event, storing store: (Rotation) -> Bool) {
    rotation.withLock { rotation in
      rotation.note(answer, to: event)
      _ = store(rotation)
    }
  }
}
