/// A thread of the operating system. Whoever started it joins or detaches it, once.
public struct SystemThread: Hashable, @unchecked Sendable {  // Sendable: a thread's id means the same in every thread
  private let id: pthread_t

  /// The caller's thread.
  public static var current: SystemThread { SystemThread(id: pthread_self()) }

  /// Whether this is the caller's thread.
  public var isCurrent: Bool { pthread_equal(id, pthread_self()) != 0 }

  /// Starts a thread that runs `body` once.
  /// - Parameter stackBytes: a multiple of the page size. The default is enough for what Holdfast does beside its main thread.
  /// - Returns: nil when the system has no thread left; `body` is not called then.
  public static func start(
    stackBytes: Int = SystemThread.smallStack, _ body: @escaping @Sendable () -> Void
  ) -> SystemThread? {
    // Uninitialised memory for pthread_attr_init: the type's Swift initializer belongs to whichever C module saw it first.
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { attributes in
      guard let attributes = attributes.baseAddress, pthread_attr_init(attributes) == 0 else { return nil }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, stackBytes)
      return start(attributes, ThreadBody(body))
    }
  }

  /// Starts a detached thread.
  /// - Returns: false when the system has no thread left; `body` is not called then.
  public static func startDetached(
    stackBytes: Int = SystemThread.smallStack, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let thread = start(stackBytes: stackBytes, body) else { return false }
    thread.detach()
    return true
  }

  /// 512 KiB.
  public static let smallStack = 512 << 10
  /// 8 MiB, what a main thread has: for C libraries that need an unknown amount.
  public static let largeStack = 8 << 20

  /// Waits until the thread has ended.
  public func join() { pthread_join(id, nil) }

  /// Lets the system clean up when the thread ends.
  public func detach() { pthread_detach(id) }

  private static func start(_ attributes: UnsafePointer<pthread_attr_t>, _ body: ThreadBody) -> SystemThread? {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(body)
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
    return SystemThread(id: thread)
  }
}

/// Carries a closure through a C thread's argument.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
