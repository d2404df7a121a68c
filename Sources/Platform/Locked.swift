/// A value behind a pthread mutex, with a condition variable for threads that wait for it to change.
///
/// Keep a closure in a struct, not as `Value` itself: generic code hands it over wrapped, each access adds a wrapping, and after
/// a thousand of them a call overflows the stack.
///
/// A pthread mutex and not `Synchronization.Mutex`: ThreadSanitizer sees the former and reports false races on the latter.
public final class Locked<Value>: @unchecked Sendable {  // Sendable: `value` is touched only with the mutex held
  // Everything here can be compiled into the modules that use it: there, `Value` is known.
  @usableFromInline var value: Value
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A lock around its first value.
  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Lends the value for the length of one call. Not re-entrant.
  @inlinable public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    return try body(&value)
  }

  /// As `withLock`, for a thread that may not wait.
  /// - Returns: nil when another thread has the lock.
  @inlinable public func withLockIfFree<Result>(_ body: (inout Value) -> Result) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unlock() }
    return body(&value)
  }

  /// Changes the value and wakes every waiting thread.
  @inlinable public func change<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockWaking(pthread_cond_broadcast) }
    return try body(&value)
  }

  /// Changes the value and wakes one waiting thread: only where any of those that may wait can deal with the change.
  @inlinable public func changeForOne<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlockWaking(pthread_cond_signal) }
    return try body(&value)
  }

  /// Changes the value, and wakes every waiting thread if the body says that the change is for them.
  @inlinable public func change<Result>(_ body: (inout Value) -> (result: Result, wakes: Bool)) -> Result {
    pthread_mutex_lock(mutex)
    let (result, wakes) = body(&value)
    if wakes { unlockWaking(pthread_cond_broadcast) } else { unlock() }
    return result
  }

  /// Waits until `ready` gives a result, or until `milliseconds` have passed (monotonic clock).
  /// - Returns: what `ready` gave, or nil after the time.
  @inlinable public func wait<Result>(milliseconds: Int? = nil, until ready: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    var deadline = timespec()
    if let milliseconds { deadline = Self.monotonic(in: milliseconds) }
    while true {
      if let result = ready(&value) { return result }
      if milliseconds == nil {
        pthread_cond_wait(changed, mutex)
      } else if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
        return ready(&value)
      }
    }
  }

  // Compiled into its caller, a method may outlive every reference to the lock but its own. These keep it until they are done.
  @inlinable func unlock() {
    withExtendedLifetime(self) { _ = pthread_mutex_unlock(mutex) }
  }

  // The mutex is free first, or those who wake would wait again at once.
  @inlinable func unlockWaking(_ wake: (UnsafeMutablePointer<pthread_cond_t>) -> Int32) {
    withExtendedLifetime(self) {
      pthread_mutex_unlock(mutex)
      _ = wake(changed)
    }
  }

  @usableFromInline static func monotonic(in milliseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec + (milliseconds % 1000) * 1_000_000
    return timespec(tv_sec: time.tv_sec + milliseconds / 1000 + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  }
}
