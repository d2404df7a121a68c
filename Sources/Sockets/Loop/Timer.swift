import Platform

/// A job that the loop runs once at a later time, unless it is cancelled.
public final class Timer: Sendable {
  private let job: Locked<(@Sendable () -> Void)?>
  let deadline: Int64

  init(deadline: Int64, job: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.job = Locked(job)
  }

  /// Callable from any thread. The job does not run after this returns, unless it had already begun.
  public func cancel() { job.withLock { $0 = nil } }

  var isCancelled: Bool { job.withLock { $0 == nil } }

  func fire() {
    let due = job.withLock { job in
      defer { job = nil }
      return job
    }
    due?()
  }
}

/// The timers of one loop, latest first, so that the next one is taken from the end.
///
/// Cancelled timers are removed together each time the queue has doubled. It is never longer than twice the most timers that were
/// live at once, or `fewest`.
struct TimerQueue {
  /// The number of timers from which cancelled ones are removed.
  static let fewest = 64

  private var timers: [Timer] = []
  private var sweepAt = Self.fewest

  var nextDeadline: Int64? { timers.last?.deadline }

  mutating func insert(_ timer: Timer) {
    if timer.isCancelled { return }
    if timers.count >= sweepAt { sweep() }
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].deadline > timer.deadline { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
  }

  private mutating func sweep() {
    timers.removeAll { $0.isCancelled }
    sweepAt = max(Self.fewest, timers.count * 2)
  }

  /// Takes the timers that are due at `now`, earliest first.
  mutating func due(at now: Int64) -> [Timer] {
    var due: [Timer] = []
    while let last = timers.last, last.deadline <= now {
      due.append(last)
      timers.removeLast()
    }
    return due
  }
}
