import Glibc
import Locks

@testable import Daemon

func join(_ thread: pthread_t) { pthread_join(thread, nil) }

/// Runs the body on so many threads at once and waits for all.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).compactMap { number in startThread { body(number) } }
  for thread in threads { join(thread) }
}
