/// A reference that each thread has for itself, for as long as a closure runs.
///
/// Swift's own `@TaskLocal` would link its concurrency and libdispatch in, which `holdfast-wake` and others do without.
public final class ThreadLocal<Value: AnyObject & Sendable>: Sendable {
  private let key: pthread_key_t

  /// Make few, and keep them: a process has room for a thousand.
  public init() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { fatalError("no thread-specific key is left") }  // reason: at start-up
    self.key = key
  }

  deinit { pthread_key_delete(key) }

  /// What the closure that runs on this thread was given.
  public var value: Value? {
    pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a closure, to which `value` is this one on this thread. Closures may be nested.
  public func with<Result, Failure: Error>(_ value: Value, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let before = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(value).toOpaque())
    defer {
      pthread_setspecific(key, before)
      withExtendedLifetime(value) {}
    }
    return try body()
  }
}
