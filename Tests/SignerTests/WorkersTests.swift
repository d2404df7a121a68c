import DaemonSupport
import Platform
import Testing

@testable import Signer

@Suite struct WorkersTests {
  @Test("A single worker runs jobs in the order they came") func oneWorkerKeepsTheOrder() {
    let workers = Workers(count: 1)
    let done = Locked<[Int]>([])
    for number in 0..<10_000 { workers.submitAlways { done.withLock { $0.append(number) } } }
    #expect(workers.drain(milliseconds: 20_000))
    #expect(done.withLock { $0 } == Array(0..<10_000))
    workers.close()
  }

  @Test("A full queue refuses new jobs but takes work that was already accepted") func theQueueIsBoundedAndAcceptedWorkIsNot() {
    let workers = Workers(count: 1)
    let (release, started, count) = (Locked(false), Locked(false), Locked(0))
    workers.submit {
      started.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = started.wait { $0 ? true : nil }
    for _ in 0..<Workers.maximumWaiting { #expect(workers.submit { count.withLock { $0 += 1 } }) }
    #expect(!workers.submit { count.withLock { $0 += 1_000_000 } })
    workers.submitAlways { count.withLock { $0 += 1 } }
    #expect(!workers.drain(milliseconds: 1))
    release.change { $0 = true }
    #expect(workers.drain(milliseconds: 20_000))
    #expect(count.withLock { $0 } == Workers.maximumWaiting + 1)
    #expect(workers.submit {})
    workers.close()
  }

  @Test("Closing the workers runs all waiting jobs and refuses new ones") func closeRunsWhatWaitsAndTakesNothingMore() {
    let workers = Workers(count: 3)
    let count = Locked(0)
    for _ in 0..<500 { workers.submit { count.withLock { $0 += 1 } } }
    workers.close()
    #expect(count.withLock { $0 } == 500)
    #expect(!workers.submit { count.withLock { $0 += 1 } })
    #expect(count.withLock { $0 } == 500)
  }

  @Test("A job may submit another job, and waiting for the end includes it") func aJobMaySubmitAnotherAndDrainWaitsForIt() {
    let workers = Workers(count: 2)
    let depth = Locked(0)
    @Sendable func next() {
      if depth.withLock({ depth in
        depth += 1; return depth < 100
      }) {
        workers.submitAlways { next() }
      }
    }
    workers.submitAlways { next() }
    #expect(workers.drain(milliseconds: 20_000))
    #expect(depth.withLock { $0 } == 100)
    workers.close()
  }

  @Test("A job submitted while somebody waits for the end still runs")
  func aJobSubmittedWhileSomebodyWaitsForTheEndIsNotForgotten() {
    let workers = Workers(count: 1)
    let (rounds, count) = (20_000, Locked(0))
    let feeder = SystemThread.start { for _ in 0..<rounds { workers.submitAlways { count.withLock { $0 += 1 } } } }
    for _ in 0..<rounds { #expect(workers.drain(milliseconds: 20_000)) }
    if let feeder { join(feeder) }
    #expect(workers.drain(milliseconds: 20_000))
    #expect(count.withLock { $0 } == rounds)
    workers.close()
  }
}
