import CWebSockets
import Glibc

/// Starts a detached thread, or one to be joined, that runs `body` once.
///
/// - Parameter stackBytes: a multiple of the page size, or nil for the system's default.
/// - Returns: the thread, or nil if the system gave none.
@discardableResult
func startThread(stackBytes: Int? = nil, detached: Bool, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
  if detached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(ThreadBody(body))
  let failed = pthread_create(&thread, &attributes, runThreadBody, box.toOpaque())
  guard failed == 0 else {
    box.release()
    return nil
  }
  return thread
}

private let runThreadBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
  guard let box else { return nil }
  return Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
}

private final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  func run() -> UnsafeMutableRawPointer? {
    body()
    return nil
  }
}

/// Microseconds of the monotonic clock.
func monotonicMicroseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
