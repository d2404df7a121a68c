import Platform

/// Chooses the thread for each message from a relay. A single request runs on the thread that read it, so that no other thread
/// has to wake up. Messages that arrive together, and long ones, go to the workers at the end of the turn in which they were
/// read.
package final class RequestDispatcher: Sendable {
  /// The most jobs of one turn that run on the reading thread. Each takes 0.1 to 0.2 ms.
  package static let mostHere = 1
  /// The longest message, in bytes, that is handled on the reading thread.
  package static let mostBytesHere = 16 << 10

  private struct Job: Sendable {
    let bytes: Int
    let run: @Sendable () -> Void
  }

  private let workers: Workers
  private let atTurnsEnd: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let gathered = Locked<[Job]>([])

  /// - Parameter atTurnsEnd: runs a job on the reading thread, after everything that this turn reads.
  package init(_ workers: Workers, atTurnsEnd: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    (self.workers, self.atTurnsEnd) = (workers, atTurnsEnd)
  }

  /// Takes a job. Call it on the reading thread.
  /// - Parameter bytes: the length of the message.
  /// - Returns: false when too many jobs wait; the job does not run then.
  package func submit(bytes: Int, _ job: @escaping @Sendable () -> Void) -> Bool {
    let waiting = workers.waiting
    let isFirst = gathered.withLock { gathered -> Bool? in
      guard waiting + gathered.count < Workers.maximumWaiting else { return nil }
      gathered.append(Job(bytes: bytes, run: job))
      return gathered.count == 1
    }
    guard let isFirst else { return false }
    if isFirst { atTurnsEnd { [self] in dispatch() } }
    return true
  }

  private func dispatch() {
    let jobs = gathered.withLock { gathered in
      defer { gathered = [] }
      return gathered
    }
    if jobs.count <= Self.mostHere, jobs.allSatisfy({ $0.bytes <= Self.mostBytesHere }), workers.areIdle {
      for job in jobs { job.run() }
    } else {
      workers.submitAlways(jobs.map(\.run))
    }
  }
}
