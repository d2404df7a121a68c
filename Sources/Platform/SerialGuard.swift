/// A lock that guards an order of steps, and no value.
public final class SerialGuard: Sendable {
  // Not `()`: an empty value has the address of what lies behind it in the lock, and ThreadSanitizer reports a race between the two.
  private let taken = Locked<UInt8>(0)

  /// Makes a free guard.
  public init() {}

  /// Runs `body`, one call at a time. Not re-entrant.
  public func withLock<Result: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try taken.withLock { _ throws(Failure) in try body() }
  }
}
