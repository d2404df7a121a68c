internal import Nostr
internal import Platform

/// A rotation that several relays' threads write to.
struct LockedRotation: Sendable {
  private let rotation: Locked<Rotation>

  init(_ rotation: Rotation) { self.rotation = Locked(rotation) }

  var value: Rotation { rotation.withLock { $0 } }

  /// Notes an answer and stores it; if that fails, it is stored with the next one.
  func note(_ answer: Rotation.Answer, to event: Event, storing store: (Rotation) -> Bool) {
    rotation.withLock { rotation in
      rotation.note(answer, to: event)
      _ = store(rotation)
    }
  }
}
