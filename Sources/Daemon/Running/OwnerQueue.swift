import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import Unlocking

/// Runs the owner's operations. Most run on the workers, which also serve the apps, and come first there, because a flood of
/// strangers' events can fill the workers' queue.
///
/// Slow operations run on threads of their own (`OwnerLane`), so that they hold up no app: a passphrase takes a second, a server
/// takes longer, and a token's driver may hang. Operations that lock never wait behind queued requests.
final class OwnerQueue: Sendable {
  /// The most threads for servers and the like. Beyond it, a caller is told to try again.
  static let mostBeside = 4
  /// How many operations may unlock at a time, and how many may wait. The vault checks one credential at a time.
  static let mostUnlocking = 2
  static let mostUnlockingWaiting = 16
  /// How many other operations with a credential run at a time. The vault checks one credential at a time.
  static let mostProving = 2
  /// How many of those may wait.
  static let mostProvingWaiting = 64
  /// How many operations may read the log at a time, and how many may wait.
  static let mostReading = 4
  static let mostReadingWaiting = 64

  private let operations: Operations
  private let workers: Workers
  private let always = OwnerLane(most: .max)
  let beside = OwnerLane(most: mostBeside)
  /// Of its own, so that a page that was left open cannot keep the owner from unlocking with slow operations.
  private let unlocking = OwnerLane(most: mostUnlocking, mostWaiting: mostUnlockingWaiting)
  private let proving = OwnerLane(most: mostProving, mostWaiting: mostProvingWaiting)
  /// One at a time, since cards and TPMs take one caller. The next one is refused at once: a driver may take longer than the
  /// caller waits, and an operation that the caller believes failed should not happen later.
  let tokens = OwnerLane(most: 1)
  /// One at a time, since it copies the log.
  private let retaining = OwnerLane(most: 1)
  /// For operations that may read the whole log, which can have gigabytes.
  private let reading = OwnerLane(most: mostReading, mostWaiting: mostReadingWaiting)

  init(_ operations: Operations, _ workers: Workers) { (self.operations, self.workers) = (operations, workers) }

  /// Does one operation and answers once, on another thread. Returns at once.
  func take(_ request: ControlRequest, via channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    let isActivity = OperationTable.properties(of: request.operation)?.isActivity == true && !request.isSignIn
    if isActivity { operations.home.session.touch() }
    // An unlock that still waits must not take effect after a lock.
    if Place(request) == .always { unlocking.refuseWaiting() }
    let task = OwnerLane.Task(request: request, channel: channel, answer: answer)
    let run: @Sendable (OwnerLane.Task) -> Void = { [self] in self.run($0) }
    switch Place(request) {
    case .workers: if !workers.submitFirst({ run(task) }) { answer(.busy) }
    case .beside: if !beside.take(task, run) { answer(.busy) }
    case .unlocking: if !unlocking.take(task, run) { answer(.busy) }
    case .proving: if !proving.take(task, run) { answer(.busy) }
    case .retaining: if !retaining.take(task, run) { answer(.busy) }
    case .reading: if !reading.take(task, run) { answer(.busy) }
    case .tokens: if !tokens.take(task, run) { answer(.tokensBusy) }
    // The last resort for locking: no thread can be started, so it happens on the caller's.
    case .always: if !always.take(task, run) { run(task) }
    }
  }

  private enum Place {
    case workers, beside, unlocking, proving, retaining, reading, tokens, always

    init(_ request: ControlRequest) {
      let lane = OperationTable.properties(of: request.operation)?.lane ?? .workers
      switch lane {
      case .always: self = .always
      // Also with a PIN: the vault tries one credential at a time.
      case .unlocking: self = .unlocking
      case _ where request.secrets["pin"] != nil || request.secrets["new_pin"] != nil: self = .tokens
      case .beside: self = .beside
      case .retaining: self = .retaining
      case _ where ShownCredential.isIn(request.parameters, secrets: request.secrets): self = .proving
      case .reading: self = .reading
      case .workers: self = .workers
      }
    }
  }

  private func run(_ task: OwnerLane.Task) {
    perform(task.request, task.channel, task.answer)
    UsedStack.wipe()
  }

  @inline(never)  // what it used of the stack lies below the frame of `run` then
  private func perform(
    _ request: ControlRequest, _ channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void
  ) {
    do throws(OperationError) {
      try operations.perform(request, via: channel) { answer(.success($0)) }
    } catch {
      answer(ControlResponse(error))
    }
  }

  // MARK: the end

  /// How long a driver's call may take to return after its process was ended, in milliseconds. The same operation may then begin
  /// another call, which is ended, too.
  private static let endingMilliseconds = 500
  private static let endings = 10

  /// Waits, at the end, until no operation runs beside the workers. Operations that wait are told to try again. When the given
  /// time is over, a driver that still works for a token is ended.
  func drain(milliseconds: Int) {
    operations.endReading()
    unlocking.refuseWaiting()
    proving.refuseWaiting()
    reading.refuseWaiting()
    let end = Clock.bootMilliseconds + Int64(milliseconds)
    for lane in [always, beside, unlocking, proving, retaining, reading, tokens] {
      _ = lane.drain(milliseconds: Int(max(0, end - Clock.bootMilliseconds)))
    }
    for _ in 0..<Self.endings where tokens.isBusy || unlocking.isBusy {
      ModuleProcess.endAll()
      for lane in [tokens, unlocking] { _ = lane.drain(milliseconds: Self.endingMilliseconds) }
    }
  }
}

extension ControlResponse {
  fileprivate static var tokensBusy: ControlResponse {
    .failure(
      exit: 1, error: "The signer is busy with another operation of a token.",
      hint: "Wait until it ends, then try again. A hanging driver is ended after at most three minutes.")
  }
}
