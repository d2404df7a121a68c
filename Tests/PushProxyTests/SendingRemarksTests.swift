import HTTPClient
import Platform
import Testing

@testable import PushProxy

@Suite("What the operator is told of pushes that fail") struct SendingRemarksTests {
  private final class Lines: Sendable {
    private let lines = Locked<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func told(
    _ events: [(WakeOutcome, isOver: Bool, at: Int64)], _ device: PushTarget? = nil
  ) throws -> [String] {
    let lines = Lines()
    let remarks = SendingRemarks { lines.add($0.text) }
    let wake = try Make.wake(to: try device ?? Make.endpoint("push.example"))
    for (outcome, isOver, time) in events { remarks.settled(wake, outcome, isOver, now: time) }
    return lines.all
  }

  @Test("A certificate that is not trusted is told at once, with what to do, and once an hour") func notTrusted() throws {
    let fault = WakeOutcome.failed(.notTrusted)
    let lines = try told([(fault, false, 0), (fault, false, 61_000), (.tooLate, true, 62_000), (fault, false, 3_600_000)])
    #expect(lines.count == 3)
    #expect(lines[0].contains("its certificate is not valid for its name. It is sent again") && lines[0].contains("--push-ca"))
    #expect(lines[1] == "A push to push.example failed: it was not sent in time. The device was not woken.")
  }

  @Test("A connection that broke is told when the wake is given up, with this reason") func givenUp() throws {
    #expect(try told([(.failed(.brokenOff), false, 0), (.delivered, true, 1)]) == [])
    let lines = try told([(.failed(.unreachable), false, 0), (.later(status: 503, seconds: 0), false, 1), (.tooLate, true, 2)])
    #expect(lines == ["A push to push.example failed: the service answered 503. The device was not woken."])
  }

  @Test("That pushes pass again is told a minute after the failure at the earliest, and each reason once an hour") func passing()
    throws
  {
    let fault = WakeOutcome.refused(status: 403, reason: nil)
    let lines = try told([
      (fault, true, 0), (.delivered, true, 1), (fault, true, 2), (.delivered, true, 60_000), (.delivered, true, 200_000),
      (.refused(status: 401, reason: nil), true, 210_000), (.refused(status: 400, reason: nil), true, 210_001),
    ])
    #expect(lines.count == 4 && lines[1] == "Pushes to push.example pass again.")
    #expect(lines[2].contains("the service answered 401. The device was not woken."))
    #expect(lines[3].contains("the service answered 400. The device was not woken."))
  }

  @Test("A device that is gone or woken too often is no news") func noNews() throws {
    let outcomes: [WakeOutcome] = [.gone(since: nil, isUnregistered: true), .tooOften, .tokenExpired, .noService]
    #expect(try told(outcomes.map { ($0, true, 0) }) == [])
    #expect(
      try told([(.refused(status: 400, reason: "BadTopic"), true, 0)], .apple(Make.device(1))) == [
        "A push to Apple's service failed: the service answered 400 (BadTopic). The device was not woken."
      ])
  }

  @Test("A host that fails does not hide another one, and hosts that somebody made up have few lines") func manyHosts() throws {
    let lines = Lines()
    let remarks = SendingRemarks { lines.add($0.text) }
    let fault = WakeOutcome.refused(status: 403, reason: nil)
    for _ in 1...3 {
      for number in 1...2 { remarks.settled(try Make.wake(to: Make.endpoint("\(number).example")), fault, true, now: 0) }
    }
    #expect(lines.all.count == 2)
    for number in 1...1_100 { remarks.settled(try Make.wake(to: Make.endpoint("\(number).example")), fault, true, now: 1) }
    #expect(lines.all.count == Int(SendingRemarks.linesPerHour) && remarks.count == SendingRemarks.mostHosts)
    let apple = try Make.wake(to: .apple(Make.device(1)))
    for status in 1...20 { remarks.settled(apple, .refused(status: status, reason: nil), true, now: 2) }
    #expect(lines.all.count == Int(SendingRemarks.linesPerHour) + SendingRemarks.mostReasons)
  }

  @Test("The host of a push service is told, never the path, and another host's success is not its own") func hosts() throws {
    let lines = Lines()
    let remarks = SendingRemarks { lines.add($0.text) }
    let fault = WakeOutcome.refused(status: 403, reason: nil)
    let (one, two) = try (Make.wake(to: Make.endpoint("one.example")), Make.wake(to: Make.endpoint("two.example")))
    remarks.settled(one, fault, true, now: 0)
    remarks.settled(two, .delivered, true, now: 60_000)
    remarks.settled(two, fault, true, now: 60_001)
    remarks.settled(two, .delivered, true, now: 120_001)
    #expect(
      lines.all == [
        "A push to one.example failed: the service answered 403. The device was not woken.",
        "A push to two.example failed: the service answered 403. The device was not woken.",
        "Pushes to two.example pass again.",
      ])
  }
}
