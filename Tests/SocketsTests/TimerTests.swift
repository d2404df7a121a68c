import Platform
import Testing

@testable import Sockets

@Suite struct TimerTests {
  /// What a peer makes us set and cancel again and again must not stay until its time has come.
  @Test("Cancelled timers are removed from the queue") func cancelledTimersLeaveTheQueue() throws {
    var queue = TimerQueue()
    let live = (0..<10).map { Timer(deadline: Int64($0) * 1_000) {} }
    for timer in live { queue.insert(timer) }
    var cancelled: [Weak] = []
    for number in 0..<10_000 {
      let timer = Timer(deadline: Int64(number % 10_000)) {}
      cancelled.append(Weak(timer))
      queue.insert(timer)
      timer.cancel()
    }
    #expect(cancelled.count { $0.timer != nil } <= TimerQueue.fewest)
    let due = queue.due(at: .max).filter { !$0.isCancelled }
    #expect(due.map(\.deadline) == live.map(\.deadline), "the others are there, in their order")
  }

  @Test("A full queue loses no timer") func aQueueOfLiveTimersLosesNone() {
    var queue = TimerQueue()
    let timers = (0..<1_000).map { Timer(deadline: Int64($0 * 7 % 1_000)) {} }
    for timer in timers { queue.insert(timer) }
    #expect(queue.due(at: .max).map(\.deadline) == (0..<1_000).map { Int64($0) })
  }

  private struct Weak { weak var timer: Timer?; init(_ timer: Timer) { self.timer = timer } }
}
