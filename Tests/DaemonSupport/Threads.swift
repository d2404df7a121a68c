package import Platform

package func join(_ thread: SystemThread) { thread.join() }

/// Runs the body on so many threads at once and waits for all.
package func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).compactMap { number in SystemThread.start { body(number) } }
  for thread in threads { join(thread) }
}
