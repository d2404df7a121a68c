import Curve
import DaemonSupport
import JSON
import OwnerAPI
import Platform
import RemoteSigning
import Testing

@testable import Daemon
@testable import Signer

/// Following what waits, without asking again and again.
@Suite struct RequestFeedTests {
  /// A watch whose clock is the test's, and what it answered.
  final class Desk: Sendable {
    private struct Job: Sendable { let run: @Sendable () -> Void }
    let signer: Signer
    let watch: RequestFeed
    private let jobs: Locked<[Job]>
    private let answers = Locked<[ControlResponse]>([])

    init() throws {
      signer = try Signer()
      let jobs = Locked<[Job]>([])
      self.jobs = jobs
      watch = RequestFeed(signer.operations, signer.workers) { _, job in jobs.withLock { $0.append(Job(run: job)) } }
    }

    func ask(_ given: JSONValue = [:]) {
      watch.take(ControlRequest(RequestFeed.operation, given)) { [answers] answer in answers.withLock { $0.append(answer) } }
      _ = signer.workers.drain(milliseconds: 20_000)
    }

    /// Asks and waits for news from a cursor on.
    func wait(after cursor: JSONValue) { ask(["after": cursor, "wait": 30]) }

    var heard: [JSONValue] {
      _ = signer.workers.drain(milliseconds: 20_000)
      return answers.withLock { $0 }.compactMap { if case .success(let news) = $0 { news.json } else { nil } }
    }
    var refused: Int { answers.withLock { $0.count { if case .failure = $0 { true } else { false } } } }

    func letTimePass() {
      for job in jobs.withLock({ $0 }) { job.run() }
      _ = signer.workers.drain(milliseconds: 20_000)
    }
  }

  @Test("The first question is answered at once with all waiting requests")
  func theFirstQuestionIsAnsweredAtOnceWithAllThatWaits() throws {
    let desk = try Desk()
    let app = try desk.signer.pairedApp(trust: "low")
    try desk.signer.deliver(app, "sign_event", [note()])
    desk.ask(["wait": 30])
    let news = try unwrap(desk.heard.first)
    #expect(news["whole"] == true && news["requests"]?.array?.count == 1 && news["ended"] == [])
    #expect(news["requests"]?[0]?["title"] == "Sign a note")
    desk.signer.close()
  }

  @Test("A watching client is told which requests begin and end") func whoWaitsHearsOfWhatComesAndOfWhatEnds() throws {
    let desk = try Desk()
    let app = try desk.signer.pairedApp(trust: "low")
    desk.ask()
    desk.wait(after: try unwrap(desk.heard[0]["cursor"]))
    #expect(desk.heard.count == 1, "nothing happened yet")
    try desk.signer.deliver(app, "sign_event", [note()])
    let news = try unwrap(desk.heard.last)
    let id = try unwrap(news["requests"]?[0]?["id"])
    #expect(desk.heard.count == 2 && news["whole"] == false)
    desk.wait(after: try unwrap(news["cursor"]))
    try desk.signer.operations.ask("request/deny", ["id": id])
    desk.signer.settle()
    #expect(desk.heard.count == 3 && desk.heard[2]["ended"] == [["id": id, "approved": false]])
    desk.signer.close()
  }

  @Test("Changes between two calls are not missed") func whatHappenedBetweenTwoQuestionsIsNotMissed() throws {
    let desk = try Desk()
    let app = try desk.signer.pairedApp(trust: "low")
    desk.ask()
    for text in ["a", "b"] { try desk.signer.deliver(app, "sign_event", [note(text)]) }
    desk.wait(after: try unwrap(desk.heard[0]["cursor"]))
    #expect(desk.heard.last?["requests"]?.array?.count == 2)
    desk.signer.close()
  }

  @Test("When the wait is over, one answer says that nothing changed")
  func whenTheTimeIsUpTheAnswerIsThatNothingHappened() throws {
    let desk = try Desk()
    desk.ask()
    let cursor = try unwrap(desk.heard[0]["cursor"])
    desk.wait(after: cursor)
    desk.letTimePass()
    #expect(desk.heard.count == 2 && desk.heard[1]["requests"] == [] && desk.heard[1]["cursor"] == cursor)
    desk.letTimePass()
    #expect(desk.heard.count == 2, "answered once")
    desk.signer.close()
  }

  @Test(
    "A cursor of another run, or an invalid one, gets all waiting requests",
    arguments: ["", "nonsense", "x.0", ".", "9223372036854775808.1"])
  func aCursorOfAnotherRunGetsEverything(cursor: String) throws {
    let desk = try Desk()
    desk.ask(["after": .string(cursor), "wait": 30])
    #expect(desk.heard.first?["whole"] == true)
    desk.signer.close()
  }

  @Test("A client that is too far behind gets the whole list") func whoIsTooFarBehindGetsEverything() throws {
    let desk = try Desk()
    desk.ask()
    let cursor = try unwrap(desk.heard[0]["cursor"])
    for n in 0...RequestFeed.mostKept { desk.signer.core.signerEvents.tell(.requestEnded(name: "\(n)", approved: nil)) }
    desk.wait(after: cursor)
    #expect(desk.heard.last?["whole"] == true && desk.heard.last?["ended"] == [])
    desk.signer.close()
  }

  @Test("The number of watching clients is limited, and they are released at shutdown")
  func thoseWhoWaitAreBoundedAndLetGoAtTheEnd() throws {
    let desk = try Desk()
    desk.ask()
    let cursor = try unwrap(desk.heard[0]["cursor"])
    for _ in 0..<RequestFeed.mostWaiting { desk.wait(after: cursor) }
    #expect(desk.heard.count == 1)
    desk.wait(after: cursor)
    #expect(desk.heard.count == 2, "one too many is answered at once")
    desk.watch.close()
    #expect(desk.refused == RequestFeed.mostWaiting)
    desk.wait(after: cursor)
    #expect(desk.heard.count == 3)
    desk.signer.close()
  }
}
