import AuditLog
import DaemonSupport
import Platform
import TestSupport
import Testing

@testable import Signer

@Suite("Which thread handles a request") struct RequestDispatcherTests {
  /// A reading thread that the test controls: jobs put off until the end of a round run when the test says so.
  private final class Reader: Sendable {
    private struct Job: Sendable { let run: @Sendable () -> Void }
    private let jobs = Locked<[Job]>([])
    let workers = Workers(count: 2)
    /// On how many threads jobs ran, and how many here.
    let ran = Locked((here: 0, elsewhere: 0))
    let thread = SystemThread.current

    private let home: OpenedHome
    private let round: RequestRound

    /// - Parameter isQuick: whether the disk counts as quick.
    init(isQuick: Bool = false) throws {
      home = try TestHome().withVault().core()
      round = RequestRound(home.log, quickSync: isQuick ? .max : 0, freshSync: .max)
    }

    func dispatcher() -> RequestDispatcher {
      RequestDispatcher(workers, round) { [self] job in jobs.withLock { $0.append(Job(run: job)) } }
    }

    /// Waits until the log's thread has nothing to do.
    func waitForRest() {
      #expect(comesTrue { home.log.beginRound(ifSyncedIn: .max) })
      home.log.endRound()
    }

    func submit(_ dispatcher: RequestDispatcher, bytes: Int = 1_000) -> Bool {
      dispatcher.submit(bytes: bytes) { [self] in
        ran.withLock { if thread.isCurrent { $0.here += 1 } else { $0.elsewhere += 1 } }
      }
    }

    func endRound(_ then: () -> Void = {}) {
      let ended = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      for job in ended { job.run() }
      then()
      _ = workers.drain(milliseconds: 20_000)
    }
  }

  @Test("A single request is handled on the thread that read it") func alone() throws {
    let reader = try Reader()
    let dispatcher = reader.dispatcher()
    for _ in 0..<3 {
      #expect(reader.submit(dispatcher))
      reader.endRound()
    }
    #expect(reader.ran.withLock { $0 } == (here: 3, elsewhere: 0))
    reader.workers.close()
  }

  @Test(
    "While the disk is quick, two requests that arrive together are handled where they were read", arguments: [(2, 0), (0, 3)])
  func two(here: Int, elsewhere: Int) throws {
    let reader = try Reader(isQuick: true)
    let dispatcher = reader.dispatcher()
    reader.waitForRest()
    for _ in 0..<here + elsewhere { #expect(reader.submit(dispatcher)) }
    reader.endRound()
    #expect(reader.ran.withLock { $0 } == (here: here, elsewhere: elsewhere))
    reader.workers.close()
  }

  @Test("Requests that arrive together, and long requests, go to the workers", arguments: [(2, 1_000), (64, 1_000), (1, 16_385)])
  func together(count: Int, bytes: Int) throws {
    let reader = try Reader()
    let dispatcher = reader.dispatcher()
    for _ in 0..<count { #expect(reader.submit(dispatcher, bytes: bytes)) }
    reader.endRound()
    #expect(reader.ran.withLock { $0 } == (here: 0, elsewhere: count))
    reader.workers.close()
  }

  @Test("While a worker is busy, the next request goes to the workers, too") func busy() throws {
    let reader = try Reader()
    let (dispatcher, entered, release) = (reader.dispatcher(), Locked(false), Locked(false))
    reader.workers.submitAlways {
      entered.change { $0 = true }
      _ = release.wait { $0 ? true : nil }
    }
    _ = entered.wait { $0 ? true : nil }
    #expect(reader.submit(dispatcher))
    reader.endRound { release.change { $0 = true } }
    #expect(reader.ran.withLock { $0 } == (here: 0, elsewhere: 1))
    reader.workers.close()
  }

  @Test("Too many requests are refused") func full() throws {
    let reader = try Reader()
    let dispatcher = reader.dispatcher()
    for _ in 0..<Workers.maximumWaiting { #expect(reader.submit(dispatcher)) }
    #expect(!reader.submit(dispatcher))
    reader.endRound()
    #expect(reader.submit(dispatcher))
    reader.endRound()
    reader.workers.close()
  }
}
