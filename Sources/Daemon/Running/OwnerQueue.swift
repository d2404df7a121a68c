import OwnerAPI
import OwnerOperations
import Platform
import SecretMemory
import Signer
import Unlocking

/// Where the owner's operations run: on the workers as a rule, which serve the apps as well. They come first there: a flood of strangers'
/// events fills the workers' queue.
///
/// Those that may take their time run beside them (`OwnerLane`), so that they hold up no app: a passphrase takes a second, a server
/// longer, and a token's driver may hang. Those that lock do not stand in line behind ten thousand requests.
final class OwnerQueue: Sendable {
  /// The most threads for unlocking, servers and the like; beyond it a caller is told to try again.
  static let mostBeside = 4
  /// How many other operations with a proof run at a time. The vault takes one proof at a time.
  static let mostProving = 2
  /// How many of those wait.
  static let mostProvingWaiting = 64
  /// How many operations read the log at a time, and how many wait.
  static let mostReading = 4
  static let mostReadingWaiting = 64

  private let operations: Operations
  private let workers: Workers
  private let always = OwnerLane(most: .max)
  private let beside = OwnerLane(most: mostBeside)
  private let proving = OwnerLane(most: mostProving, mostWaiting: mostProvingWaiting)
  /// One at a time: cards and TPMs take one caller. The next is refused at once: a driver may take longer than who asks waits for an answer,
  /// and what he believes failed should not be done then.
  private let tokens = OwnerLane(most: 1)
  /// One at a time: the log is copied for it.
  private let retaining = OwnerLane(most: 1)
  /// What may read the whole log, which can have gigabytes.
  private let reading = OwnerLane(most: mostReading, mostWaiting: mostReadingWaiting)

  init(_ operations: Operations, _ workers: Workers) { (self.operations, self.workers) = (operations, workers) }

  /// Does one operation and answers once, on another thread. Returns at once.
  func take(_ request: ControlRequest, via channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    if OperationTable.properties(of: request.operation)?.isActivity == true { operations.core.session.touch() }
    let task = OwnerLane.Task(request: request, channel: channel, answer: answer)
    let run: @Sendable (OwnerLane.Task) -> Void = { [self] in self.run($0) }
    switch Place(request) {
    case .workers: if !workers.submitFirst({ run(task) }) { answer(.busy) }
    case .beside: if !beside.take(task, run) { answer(.busy) }
    case .proving: if !proving.take(task, run) { answer(.busy) }
    case .retaining: if !retaining.take(task, run) { answer(.busy) }
    case .reading: if !reading.take(task, run) { answer(.busy) }
    case .tokens: if !tokens.take(task, run) { answer(.tokensBusy) }
    // The last resort for a lock: no thread is to be had, so the caller's does it.
    case .always: if !always.take(task, run) { run(task) }
    }
  }

  private enum Place {
    case workers, beside, proving, retaining, reading, tokens, always

    init(_ request: ControlRequest) {
      let lane = OperationTable.properties(of: request.operation)?.lane ?? .workers
      switch lane {
      case .always: self = .always
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
      answer(.failure(exit: error.exit.rawValue, error: error.error, hint: error.hint))
    }
  }

  // MARK: the end

  /// How long a driver's call has to come back after its process was ended, in milliseconds. The same operation may begin another call
  /// then: so often that one is ended, too.
  private static let endingMilliseconds = 500
  private static let endings = 10

  /// Waits, for the end, until no operation runs beside the workers. Operations that wait for their turn are told to try again. When the
  /// time given is over, a driver that still works for a token is ended.
  func drain(milliseconds: Int) {
    operations.endReading()
    proving.refuseWaiting()
    reading.refuseWaiting()
    let end = Clock.bootMilliseconds + Int64(milliseconds)
    for lane in [always, beside, proving, retaining, reading, tokens] {
      _ = lane.drain(milliseconds: Int(max(0, end - Clock.bootMilliseconds)))
    }
    for _ in 0..<Self.endings where tokens.isBusy {
      ModuleProcess.endAll()
      _ = tokens.drain(milliseconds: Self.endingMilliseconds)
    }
  }
}

extension ControlResponse {
  fileprivate static var tokensBusy: ControlResponse {
    .failure(
      exit: 1, error: "Another operation with a token is under way.",
      hint: "Wait until it ends, then try again. A driver that hangs is ended after three minutes at most.")
  }
}
