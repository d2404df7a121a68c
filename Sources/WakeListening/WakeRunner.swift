import Encodings
import JSON
import Platform

/// The thread that starts `holdfast-wake`, one at a time, for each push that waits.
final class WakeRunner: Sendable {
  /// How long one wake may take, in milliseconds: what `holdfast-wake` allows itself, with the time that it waits for the vault.
  static let patience = 60_000
  /// The exit codes of `holdfast-wake` after which another attempt may succeed a little later: it failed.
  private static let passing: Set<Int32> = [1]

  private struct State {
    var queue = WakeQueue()
    var isRunning = false
    var isStopping = false
    var lastEnd: Int64
  }

  /// The program and its arguments before those that name the push.
  private let command: [String]
  private let spool: WakeSpool
  private let settled: @Sendable (WakeRun) -> Void
  private let state: Locked<State>

  init(_ command: [String], _ spool: WakeSpool, settled: @escaping @Sendable (WakeRun) -> Void) {
    (self.command, self.spool, self.settled) = (command, spool, settled)
    state = Locked(State(lastEnd: Clock.bootMilliseconds))
  }

  /// Starts a wake soon.
  func add(_ push: PushedRequest) { state.change { $0.queue.add(push, now: Clock.bootMilliseconds) } }

  /// Wakes until `stop`. The one that runs then is waited for; others stay in the spool.
  func run() {
    while let request = next() {
      let (exit, outcome) = start(request)
      let now = Clock.bootMilliseconds
      let isOver = state.withLock { state in
        (state.isRunning, state.lastEnd) = (false, now)
        return state.queue.settle(request, isFinal: exit.map { !Self.passing.contains($0) } ?? false, now: now)
      }
      if isOver { spool.remove(request) }
      settled(WakeRun(request: request, exit: exit, outcome: outcome, isOver: isOver))
      dropOld()
    }
  }

  /// Gives up what waited for so long that its app no longer does.
  private func dropOld() {
    for request in state.withLock({ $0.queue.dropOld(now: Clock.bootMilliseconds) }) {
      spool.remove(request)
      settled(WakeRun(request: request, exit: nil, outcome: nil, isOver: true))
    }
  }

  func stop() { state.change { $0.isStopping = true } }

  /// Milliseconds since something was to be done; nil while something is.
  var idleTime: Int64? {
    state.withLock { $0.isRunning || !$0.queue.isEmpty ? nil : Clock.bootMilliseconds - $0.lastEnd }
  }

  /// Waits for the next request that is due. Nil at the end.
  private func next() -> Bytes32? {
    while true {
      let due = state.withLock { $0.queue.nextDue }
      let pause = due.map { Int(clamping: min(max(0, $0 - Clock.bootMilliseconds), Self.longestWait)) } ?? Int(Self.longestWait)
      let step: Bytes32?? = state.wait(milliseconds: pause) { state in
        if state.isStopping { return .some(nil) }
        guard let request = state.queue.due(now: Clock.bootMilliseconds) else { return nil }
        state.isRunning = true
        return .some(request)
      }
      if let step { return step }
    }
  }

  private static let longestWait: Int64 = 30_000

  private func start(_ request: Bytes32) -> (exit: Int32?, outcome: String?) {
    let words = command + ["--json", "--payload", spool.path(request)]
    guard let ended = OtherProgram.printed(words, within: Self.patience) else { return (nil, nil) }
    let status = ended.end & 0x7f
    let said = try? JSONValue(parsing: Array(ended.text.utf8))
    return (status == 0 ? ended.end >> 8 & 0xff : nil, said?["outcome"]?.string)
  }
}
