import HTTPClient
import Testing

@testable import WebPush

@Suite("Push queue")
struct PushQueueTests {
  static let waiting = PushQueue.Key(id: "a", notice: .waiting)
  static let incident = PushQueue.Key(id: "a", notice: .incident)

  /// A queue in which a message about waiting requests was delivered at 1,000 ms.
  static func told() -> PushQueue {
    var queue = PushQueue()
    queue.want(.waiting, for: "a", now: 0)
    _ = queue.takeDue(now: 1000)
    _ = queue.settle(waiting, .delivered, now: 1000)
    return queue
  }

  private func expectDue(
    _ queue: inout PushQueue, _ now: Int64, _ keys: [PushQueue.Key], _ place: SourceLocation = #_sourceLocation
  ) {
    let due = queue.takeDue(now: now)
    #expect(due == keys, sourceLocation: place)
  }

  private func expectOver(
    _ queue: inout PushQueue, _ key: PushQueue.Key, _ outcome: PushOutcome, now: Int64, is over: Bool = true,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let isOver = queue.settle(key, outcome, now: now)
    #expect(isOver == over, sourceLocation: place)
  }

  @Test("Many requests in a row cause one message") func aBurstIsOneMessage() {
    var queue = PushQueue()
    for now in 0..<50 { queue.want(.waiting, for: "a", now: Int64(now)) }
    expectDue(&queue, PushQueue.gathering - 1, [])
    expectDue(&queue, PushQueue.gathering, [Self.waiting])
    expectDue(&queue, PushQueue.gathering, [])
    expectOver(&queue, Self.waiting, .delivered, now: 500)
    #expect(queue.isEmpty)
  }

  @Test("A notice that comes while one is being sent causes one more later") func whatComesWhileOneIsOnItsWayIsOneMoreLater() {
    var queue = PushQueue()
    queue.want(.waiting, for: "a", now: 0)
    _ = queue.takeDue(now: 400)
    queue.want(.waiting, for: "a", now: 401)
    queue.want(.waiting, for: "a", now: 402)
    expectOver(&queue, Self.waiting, .delivered, now: 500)
    #expect(queue.nextDue == 500 + PushQueue.quiet)
  }

  @Test("A steady flow of requests causes a message now and then") func requestsThatGoOnComingAreToldNowAndThen() {
    var queue = Self.told()
    queue.want(.waiting, for: "a", now: 2000)
    #expect(queue.nextDue == 1000 + PushQueue.quiet)
  }

  @Test("After all requests are answered, the next one causes a message again") func onceAllWasAnsweredTheNextIsNews() {
    var queue = Self.told()
    queue.nothingWaits()
    queue.want(.waiting, for: "a", now: 10_000)
    #expect(queue.nextDue == 10_000 + PushQueue.gathering)
    var fast = Self.told()
    fast.nothingWaits()
    fast.want(.waiting, for: "a", now: 1500)
    #expect(fast.nextDue == 1000 + PushQueue.shortQuiet, "an app that asks and withdraws cannot make it ring on and on")
  }

  @Test("An incident is sent at once") func anIncidentDoesNotWait() {
    var queue = Self.told()
    queue.want(.incident, for: "a", now: 1001)
    expectDue(&queue, 1001, [Self.incident])
  }

  @Test("One browser does not delay another") func oneBrowserDoesNotHoldUpAnother() {
    var queue = Self.told()
    queue.want(.waiting, for: "a", now: 2000)
    queue.want(.waiting, for: "b", now: 2000)
    expectDue(&queue, 2000 + PushQueue.gathering, [PushQueue.Key(id: "b", notice: .waiting)])
  }

  static let outcomes: [(PushOutcome, Int64?)] = [
    (.delivered, nil), (.gone, nil), (.refused(status: 400), nil), (.refused(status: 301), nil),
    (.later(status: 429, seconds: 0), 5000), (.later(status: 503, seconds: 60), 60_000), (.later(status: 500, seconds: 1), 5000),
    (.later(status: 429, seconds: 900), 900_000), (.later(status: 429, seconds: 901), nil),
    (.later(status: 429, seconds: .max), nil), (.failed(.unresolved), 5000), (.failed(.unreachable), 5000),
    (.failed(.timedOut), 5000),
    (.failed(.brokenOff), 5000), (.failed(.notTrusted), nil), (.failed(.addressRefused), nil), (.failed(.responseTooLong), nil),
    (.failed(.noLibrary), nil), (.failed(.notPrepared), nil),
  ]

  @Test("A message that failed temporarily is tried again", arguments: outcomes)
  func whatMayPassIsTriedAgain(outcome: PushOutcome, pause: Int64?) {
    var queue = PushQueue()
    queue.want(.test, for: "a", now: 0)
    let key = queue.takeDue(now: 0)[0]
    expectOver(&queue, key, outcome, now: 7, is: (pause == nil))
    #expect(queue.nextDue == pause.map { $0 + 7 })
  }

  @Test("Attempts are counted and limited") func attemptsAreCounted() {
    var queue = PushQueue()
    queue.want(.test, for: "a", now: 0)
    var (now, pauses): (Int64, [Int64]) = (0, [])
    while let due = queue.nextDue {
      pauses.append(due - now)
      now = due
      for key in queue.takeDue(now: now) { _ = queue.settle(key, .failed(.brokenOff), now: now) }
    }
    #expect(pauses == [0, 5000, 20_000, 80_000])
  }

  @Test("A removed browser is no longer notified") func aRemovedBrowserIsNoLongerNotified() {
    var queue = PushQueue()
    queue.want(.waiting, for: "a", now: 0)
    queue.want(.incident, for: "a", now: 0)
    queue.drop("a")
    #expect(queue.isEmpty)
    queue.want(.test, for: "a", now: 0)
    let key = queue.takeDue(now: 0)[0]
    queue.drop("a")
    expectOver(&queue, key, .failed(.brokenOff), now: 1)
    #expect(queue.isEmpty)
  }
}
