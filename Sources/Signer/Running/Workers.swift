import Platform

/// A few threads that take jobs from one bounded queue.
///
/// Requests are verified, decrypted, signed and encrypted here, so that the thread that owns the sockets never waits.
package final class Workers: Sendable {
  /// The most waiting jobs. Further ones are refused, and the caller slows down its source.
  static let maximumWaiting = 16_384
  /// The most waiting jobs of the owner.
  static let maximumFirst = 1_024

  private struct Queue {
    var jobs: [@Sendable () -> Void] = []
    var head = 0
    /// The owner's jobs, which run before all others.
    var first: [@Sendable () -> Void] = []
    var running = 0
    var isClosed = false
    /// A caller waits for the queue to become empty.
    var isAwaited = false
    /// What to do whenever the last job has ended.
    var idle: Idle?

    var isIdle: Bool { waiting == 0 && running == 0 }
    var waiting: Int { jobs.count - head + first.count }

    mutating func next() -> (@Sendable () -> Void)? {
      if !first.isEmpty {
        running += 1
        return first.removeFirst()
      }
      guard head < jobs.count else { return nil }
      let job = jobs[head]
      jobs[head] = {}  // what a job holds goes when it has run, not later with the lock held
      head += 1
      if head == jobs.count {
        jobs.removeAll(keepingCapacity: jobs.count < 1024)
        head = 0
      } else if head > 4096 {
        jobs.removeFirst(head)
        head = 0
      }
      running += 1
      return job
    }
  }

  private struct Idle: Sendable { let begins: @Sendable () -> Void }

  private let queue = Locked(Queue())
  private let threads: [SystemThread]

  /// - Parameter count: the number of threads. One for each core works well.
  package init(count: Int) {
    let queue = queue
    threads = (0..<max(1, count)).compactMap { _ in SystemThread.start { Self.work(queue) } }
  }

  /// Queues a job.
  /// - Returns: false when too many wait, or the workers are closed; the job does not run then.
  @discardableResult
  package func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    add(job, if: { !$0.isClosed && $0.waiting < Self.maximumWaiting })
  }

  /// Queues a job of the owner. It runs next, however many jobs of strangers and apps wait.
  /// - Returns: false when too many of the owner's jobs wait, or the workers are closed; the job does not run then.
  package func submitFirst(_ job: @escaping @Sendable () -> Void) -> Bool {
    add(job, isFirst: true, if: { !$0.isClosed && $0.first.count < Self.maximumFirst })
  }

  /// Queues a job that must not be lost, because it was accepted earlier.
  package func submitAlways(_ job: @escaping @Sendable () -> Void) { _ = add(job, if: { _ in true }) }

  /// The same for several jobs.
  func submitAlways(_ jobs: [@Sendable () -> Void]) {
    guard jobs.count > 1 else { return jobs.forEach(submitAlways) }
    queue.change { $0.jobs += jobs }
  }

  // One worker is enough for one job. A caller that waits for the queue to become empty must not be the thread that is woken for
  // it.
  private func add(_ job: @escaping @Sendable () -> Void, isFirst: Bool = false, if mayEnter: (Queue) -> Bool) -> Bool {
    let (isQueued, isAwaited) = queue.changeForOne { queue in
      let isQueued = mayEnter(queue)
      if isQueued { isFirst ? queue.first.append(job) : queue.jobs.append(job) }
      return (isQueued, queue.isAwaited)
    }
    if isAwaited { queue.change { _ in } }
    return isQueued
  }

  /// How many jobs wait or run, which may record requests. None once the queue is closed, which runs no new ones.
  var unfinished: Int { queue.withLock { $0.isClosed ? 0 : $0.waiting + $0.running } }

  /// Whether no job waits or runs.
  package var areIdle: Bool { queue.withLock { $0.isIdle } }

  /// Calls `body` on a worker's thread whenever the last job has ended and no other waits.
  func whenIdle(_ body: @escaping @Sendable () -> Void) { queue.withLock { $0.idle = Idle(begins: body) } }

  /// The number of waiting jobs.
  package var waiting: Int { queue.withLock { $0.waiting } }

  /// Waits until no job waits or runs.
  /// - Returns: false when that took longer than the given time.
  package func drain(milliseconds: Int) -> Bool {
    queue.withLock { $0.isAwaited = true }
    defer { queue.withLock { $0.isAwaited = false } }
    return queue.wait(milliseconds: milliseconds) { $0.isIdle ? true : nil } ?? false
  }

  /// Ends the threads when the queue is empty, and waits for them.
  package func close() {
    queue.change { $0.isClosed = true }
    for thread in threads { thread.join() }
  }

  private static func work(_ queue: Locked<Queue>) {
    enum Step { case run(@Sendable () -> Void), end }
    while true {
      let step = queue.wait { queue -> Step? in
        if let job = queue.next() { return .run(job) }
        return queue.isClosed ? .end : nil
      }
      guard case .run(let job)? = step else { return }
      job()
      let (isAwaited, idle) = queue.withLock { queue in
        queue.running -= 1
        return (queue.isAwaited, queue.isIdle ? queue.idle : nil)
      }
      idle?.begins()
      if isAwaited { queue.change { _ in } }
    }
  }
}
