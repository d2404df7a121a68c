import Platform

/// Who waits for the answer to a request. A handler that takes long can be told that nobody waits any more.
public final class Waiter: Sendable {
  private enum State: Sendable {
    case waits([@Sendable () -> Void])
    case gone
    case answered
  }

  private let state = Locked(State.waits([]))
  /// Begins to check whether the peer is still there, on the loop.
  private let check: @Sendable () -> Void

  init(check: @escaping @Sendable () -> Void) { self.check = check }

  /// Calls back once if the connection ends before the answer: on the loop thread, or at once if it has ended already. A peer that only
  /// closes its own direction counts as gone. It is noticed within `SocketLimits.peerCheckMilliseconds`.
  public func whenGone(_ job: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      guard case .waits(let jobs) = state else {
        if case .gone = state { return true }
        return false
      }
      state = .waits(jobs + [job])
      return false
    }
    isGone ? job() : check()
  }

  func answered() { state.change { $0 = .answered } }

  func gone() {
    let jobs = state.withLock { state -> [@Sendable () -> Void] in
      guard case .waits(let jobs) = state else { return [] }
      state = .gone
      return jobs
    }
    for job in jobs { job() }
  }
}
