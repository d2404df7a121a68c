import Platform

/// A thread with a queue of bounded length, as the daemon's workers have.
final class Worker: Sendable {
  private struct Job: Sendable { let run: @Sendable () -> Void }
  private static let limit = 4_096
  private let jobs = Locked<[Job]>([])

  /// - Returns: false when the queue is full.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    jobs.change { jobs in
      guard jobs.count < Self.limit else { return false }
      jobs.append(Job(run: job))
      return true
    }
  }

  func start() {
    _ = SystemThread.startDetached(stackBytes: SystemThread.largeStack) { self.work() }
  }

  private func work() {
    while let job = jobs.wait(until: { $0.isEmpty ? nil : $0.removeFirst() }) { job.run() }
  }
}
