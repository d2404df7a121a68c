internal import Platform

/// Where what relays deliver is dealt with. A request that comes alone is dealt with on the thread that read it, so that no other has to be
/// woken. What comes together, and what is long, goes to the workers at the end of the turn in which it was read.
package final class RequestDispatcher: Sendable {
  /// The most jobs of one turn that run on the reading thread, each of which takes a tenth or two of a millisecond.
  package static let mostHere = 1
  /// The longest message, in bytes, that is dealt with on the reading thread.
  package static let mostBytesHere = 16 << 10

  private struct Job: Sendable {
    let bytes: Int
    let run: @Sendable () -> Void
  }

  private let workers: Workers
  private let atTurnsEnd: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let gathered = Locked<[Job]>([])

  /// - Parameter atTurnsEnd: runs a job on the reading thread, after all that this turn reads.
  package init(_ workers: Workers, atTurnsEnd: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    (self.workers, self.atTurnsEnd) = (workers, atTurnsEnd)
  }

  /// Takes a job. Call on the reading thread.
  /// - Parameter bytes: how long the message is.
  /// - Returns: false when too much waits; the job is not run then.
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
