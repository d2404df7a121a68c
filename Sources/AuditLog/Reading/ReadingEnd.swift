internal import Platform

/// Ends what reads a log, from another thread: a log of gigabytes takes minutes to read, and nobody waits for that at the end.
final class ReadingEnd: Sendable {
  private let state = Locked(false)

  /// Whether reading is over.
  var isOver: Bool { state.withLock { $0 } }

  /// Whoever reads hears `.closed` at his next read.
  func end() { state.withLock { $0 = true } }
}
