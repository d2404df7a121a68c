import Locks

/// A job that the loop runs once at a later time, unless it is cancelled before.
public final class Timer: Sendable {
  private let job: Locked<(@Sendable () -> Void)?>
  let deadline: Int64

  init(deadline: Int64, job: @escaping @Sendable () -> Void) {
    self.deadline = deadline
    self.job = Locked(job)
  }

  /// From any thread. The job does not run after this returns, unless it had begun.
  public func cancel() { job.withLock { $0 = nil } }

  func fire() {
    let due = job.withLock { job in
      defer { job = nil }
      return job
    }
    due?()
  }
}

/// The timers of one loop, latest first, so that the next to fire is taken from the end.
struct TimerQueue {
  private var timers: [Timer] = []

  var nextDeadline: Int64? { timers.last?.deadline }

  mutating func insert(_ timer: Timer) {
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].deadline > timer.deadline { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
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
