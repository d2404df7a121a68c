import Platform
import Testing

@testable import Signer

/// Asks the workers something when it goes.
private final class Asker: Sendable {
  private let workers: Workers
  private let answered: Locked<Bool>

  init(_ workers: Workers, _ answered: Locked<Bool>) { (self.workers, self.answered) = (workers, answered) }

  func work() {}

  deinit {
    _ = workers.areIdle
    answered.change { $0 = true }
  }
}

@Suite struct WorkersIdleTests {
  @Test("What a job holds is released when the job has run, without the lock of the queue") func aJobsBelongingsGoWithIt() {
    let workers = Workers(count: 1)
    let (release, answered) = (Locked(false), Locked(false))
    workers.submit { _ = release.wait { $0 ? true : nil } }
    submitAsker(workers, answered)
    workers.submit {}
    release.change { $0 = true }
    #expect(answered.wait(milliseconds: 20_000) { $0 ? true : nil } == true)
    #expect(workers.drain(milliseconds: 20_000))
    workers.close()
  }

  private func submitAsker(_ workers: Workers, _ answered: Locked<Bool>) {
    let asker = Asker(workers, answered)
    workers.submit { asker.work() }
  }

  @Test("The workers say when the last job has ended, and expect none once they are closed") func idleness() {
    let workers = Workers(count: 2)
    let idle = Locked(0)
    workers.whenIdle { idle.change { $0 += 1 } }
    #expect(workers.unfinished == 0)
    workers.submit {}
    #expect(idle.wait(milliseconds: 20_000) { $0 > 0 ? true : nil } == true)
    workers.close()
    workers.submitAlways {}
    #expect(workers.unfinished == 0 && !workers.areIdle)
  }
}
