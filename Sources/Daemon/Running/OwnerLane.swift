import OwnerAPI
import Platform
import Signer

/// Threads beside the workers for one sort of the owner's operations. A limited number runs at a time, and some more wait.
final class OwnerLane: Sendable {
  /// An operation that must be answered once.
  struct Task: Sendable {
    let request: ControlRequest
    let channel: OwnerChannel
    let answer: @Sendable (ControlResponse) -> Void
  }

  fileprivate struct State {
    var running = 0
    var waiting: [Task] = []
  }

  private enum Place { case thread, queue, none }

  private let most: Int
  private let mostWaiting: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - most: how many run at a time.
  ///   - mostWaiting: how many may wait. Others are refused.
  init(most: Int, mostWaiting: Int = 0) { (self.most, self.mostWaiting) = (most, mostWaiting) }

  /// Runs it on a thread of this lane, now or later. Returns at once.
  /// - Returns: false if it is refused.
  func take(_ task: Task, _ run: @escaping @Sendable (Task) -> Void) -> Bool {
    let place = state.withLock { state -> Place in
      if state.running < most {
        state.running += 1
        return .thread
      }
      guard state.waiting.count < mostWaiting else { return .none }
      state.waiting.append(task)
      return .queue
    }
    switch place {
    case .thread: return start(task, run)
    case .queue: return true
    case .none: return false
    }
  }

  private func start(_ task: Task, _ run: @escaping @Sendable (Task) -> Void) -> Bool {
    let isStarted = SystemThread.startDetached { [self] in
      var next: Task? = task
      while let task = next {
        run(task)
        next = nextWaiting()
      }
    }
    if isStarted { return true }
    // No thread can be started. Tasks that waited for the end of this one are answered, too, if no other thread runs.
    let stranded = state.change { state -> [Task] in
      state.running -= 1
      return state.running == 0 ? state.takeWaiting() : []
    }
    for task in stranded { task.answer(.busy) }
    return false
  }

  /// What the thread does next. Nil ends it.
  private func nextWaiting() -> Task? {
    state.change { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
  }

  /// Whether an operation runs.
  var isBusy: Bool { state.withLock { $0.running > 0 } }

  /// Refuses all tasks that wait.
  func refuseWaiting() { for task in state.withLock({ $0.takeWaiting() }) { task.answer(.busy) } }

  /// Waits until none runs.
  /// - Returns: false if that took longer than the given time.
  func drain(milliseconds: Int) -> Bool { state.wait(milliseconds: milliseconds) { $0.running == 0 ? true : nil } ?? false }
}

extension OwnerLane.State {
  fileprivate mutating func takeWaiting() -> [OwnerLane.Task] {
    defer { waiting = [] }
    return waiting
  }
}

extension ControlResponse {
  /// There is no free thread for it now.
  static var busy: ControlResponse { .failure(exit: 1, error: "The signer is busy.", hint: "Try again.") }
}
