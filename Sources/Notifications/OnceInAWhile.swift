import Platform

/// Lets something happen once within a time, such as opening a window.
struct OnceInAWhile: Sendable {
  /// How long after it happened it does not happen again, in milliseconds.
  let milliseconds: Int64
  private let last = Locked<Int64?>(nil)

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whether it may happen now. If so, it counts as done.
  /// - Parameter now: of a clock that is never set, in milliseconds.
  func begins(at now: Int64) -> Bool {
    last.withLock { last in
      guard last.map({ now - $0 >= milliseconds }) ?? true else { return false }
      last = now
      return true
    }
  }
}
