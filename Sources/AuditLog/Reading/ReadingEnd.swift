import Platform

/// Ends the reading of a log from another thread. Reading gigabytes takes minutes, and a stop does not wait for that.
final class ReadingEnd: Sendable {
  private let state = Locked(false)

  /// Whether reading is over.
  var isOver: Bool { state.withLock { $0 } }

  /// Each reader gets `.closed` at its next read.
  func end() { state.withLock { $0 = true } }
}
