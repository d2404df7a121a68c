import Platform

/// A thread that handles what others hand in, in its order, several at once. At most so many wait.
final class RequestQueue<Job: Sendable>: Sendable {
  private struct State {
    var waiting: [Job] = []
    var isOver = false
  }

  private let most: Int
  private let atOnce: Int
  private let state = Locked(State())
  private let thread: Locked<SystemThread?> = Locked(nil)

  /// - Parameters:
  ///   - most: how many may wait.
  ///   - atOnce: how many are handled in one call at most.
  init(most: Int, atOnce: Int) { (self.most, self.atOnce) = (most, atOnce) }

  /// Starts the thread.
  /// - Returns: false when the system has none left.
  func start(_ handle: @escaping @Sendable ([Job]) -> Void) -> Bool {
    let started = SystemThread.start { [self] in
      while let jobs = next() { handle(jobs) }
    }
    thread.withLock { $0 = started }
    return started != nil
  }

  /// How many wait.
  var count: Int { state.withLock { $0.waiting.count } }

  /// - Returns: false when as many as may be wait already, or after `stop`.
  func submit(_ job: Job) -> Bool {
    state.change { state in
      guard !state.isOver, state.waiting.count < most else { return false }
      state.waiting.append(job)
      return true
    }
  }

  /// Accepts no further jobs, and returns when all accepted ones are handled.
  func stop() {
    state.change { $0.isOver = true }
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    started?.join()
  }

  private func next() -> [Job]? {
    state.wait { state -> [Job]?? in
      guard !state.waiting.isEmpty else { return state.isOver ? .some(nil) : nil }
      let jobs = Array(state.waiting.prefix(self.atOnce))
      state.waiting.removeFirst(jobs.count)
      return jobs
    } ?? nil
  }
}
