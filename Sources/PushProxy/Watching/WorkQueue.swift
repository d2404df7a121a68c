import Platform

/// Threads that do jobs in the order in which they came, and a limit to how many wait.
final class WorkQueue: Sendable {
  /// The most jobs that wait.
  static let mostWaiting = 8_192
  /// The most bytes that waiting jobs hold.
  static let mostBytes = 64 << 20
  /// How many jobs a thread takes at once.
  private static let handful = 32

  private struct Job: Sendable {
    let bytes: Int
    let run: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Job] = []
    var bytes = 0
    var isStopping = false
    var threads: [SystemThread] = []
  }

  private let most: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - most: the most jobs that wait.
  ///   - finish: called after each handful of jobs, on their thread: for what costs little more for several than for one.
  init(threads: Int, most: Int = mostWaiting, finish: @escaping @Sendable () -> Void = {}) {
    self.most = most
    let state = state
    let started = (0..<threads).compactMap { _ in SystemThread.start { Self.work(state, finish) } }
    state.withLock { $0.threads = started }
  }

  deinit { stop() }

  /// - Parameter bytes: what the job holds in memory.
  /// - Returns: false when too many jobs wait, or after `stop`.
  func add(_ bytes: Int, _ run: @escaping @Sendable () -> Void) -> Bool {
    state.change { state in
      guard !state.isStopping, state.waiting.count < most, state.bytes <= Self.mostBytes - min(bytes, Self.mostBytes) else {
        return false
      }
      state.waiting.append(Job(bytes: bytes, run: run))
      state.bytes += bytes
      return true
    }
  }

  /// Runs the jobs that wait, and ends the threads.
  func stop() {
    let threads = state.change { state in
      state.isStopping = true
      defer { state.threads = [] }
      return state.threads
    }
    // The last owner may be a job of our own.
    for thread in threads { if thread.isCurrent { thread.detach() } else { thread.join() } }
  }

  private static func work(_ state: Locked<State>, _ finish: @Sendable () -> Void) {
    while let jobs = take(state) {
      for job in jobs { job.run() }
      finish()
    }
  }

  /// Waits for jobs. Nil at the end.
  private static func take(_ state: Locked<State>) -> [Job]? {
    let jobs = state.wait { state -> [Job]? in
      guard !state.waiting.isEmpty else { return state.isStopping ? [] : nil }
      let jobs = Array(state.waiting.prefix(handful))
      state.waiting.removeFirst(jobs.count)
      for job in jobs { state.bytes -= job.bytes }
      return jobs
    }
    return jobs.flatMap { $0.isEmpty ? nil : $0 }
  }
}
