package import Glibc

/// Starts a thread with a small stack, to be joined.
/// - Returns: nil when the system has no thread left.
package func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  // Uninitialised memory for pthread_attr_init: the type's Swift initializer belongs to whichever C module saw it first.
  withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
    guard let attributes = attributes.baseAddress, pthread_attr_init(attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setstacksize(attributes, 512 << 10)
    var thread: pthread_t = 0
    let box = Unmanaged.passRetained(ThreadBody(body))
    let status = pthread_create(
      &thread, attributes,
      { argument in
        if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      return nil
    }
    return thread
  }
}

/// Carries a closure through a C thread's argument.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
