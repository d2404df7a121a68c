import Platform

/// Chooses the thread for each message from a relay, at the end of the round in which it was read. A few requests run on the thread that
/// read them, so that no other thread has to wake up. Many, and long ones, go to the workers.
package final class RequestDispatcher: Sendable {
  /// The most jobs read together that run on the reading thread, while the disk is quick. More are handled sooner by several workers.
  package static let mostHere = 2
  /// The longest message, in bytes, that is handled on the reading thread.
  package static let mostBytesHere = 16 << 10

  private struct Job: Sendable {
    let bytes: Int
    let run: @Sendable () -> Void
  }

  private let workers: Workers
  private let round: RequestRound
  private let afterReading: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let gathered = Locked<[Job]>([])

  /// - Parameter afterReading: runs a job on the reading thread, after everything that is being read now.
  package init(
    _ workers: Workers, _ round: RequestRound, afterReading: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) { (self.workers, self.round, self.afterReading) = (workers, round, afterReading) }

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
    if isFirst { afterReading { [self] in dispatch() } }
    return true
  }

  private func dispatch() {
    let jobs = gathered.withLock { gathered in
      defer { gathered = [] }
      return gathered
    }
    let runs = jobs.map(\.run)
    guard runs.count <= Self.mostHere, jobs.allSatisfy({ $0.bytes <= Self.mostBytesHere }), workers.areIdle else {
      return workers.submitAlways(runs)
    }
    if round.run(runs) { return }
    if runs.count == 1 { runs[0]() } else { workers.submitAlways(runs) }
  }
}
