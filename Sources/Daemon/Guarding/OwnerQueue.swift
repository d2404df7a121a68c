internal import Glibc
internal import LocalAccess
internal import Locks
internal import SecretMemory

/// Where the owner's operations run: on the workers as a rule.
///
/// Those that lock or unlock get a thread of their own, so that a lock does not stand in line behind ten thousand requests, and a
/// passphrase that takes a second holds up none.
final class OwnerQueue: Sendable {
  /// The most threads for that at a time; beyond it a caller is told to try again.
  static let mostBeside = 4

  private let operations: Operations
  private let workers: Workers
  private let beside = Locked(0)

  init(_ operations: Operations, _ workers: Workers) { (self.operations, self.workers) = (operations, workers) }

  /// Does one operation and answers once, on another thread. Returns at once.
  func take(_ request: ControlRequest, via channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    if Operations.isActivity(request.operation) { operations.core.session.touch() }
    let isTaken =
      switch Place(request.operation) {
      case .workers: workers.submit { [self] in run(request, channel, answer) }
      case .beside: startBeside(atMost: Self.mostBeside) { [self] in run(request, channel, answer) }
      case .always: startBeside(atMost: .max) { [self] in run(request, channel, answer) }
      }
    guard !isTaken else { return }
    // The last resort for a lock: no thread is to be had, so the caller's does it.
    guard Place(request.operation) != .always else { return run(request, channel, answer) }
    answer(.failure(exit: 1, error: "The signer is busy.", hint: "Try again."))
  }

  private enum Place {
    case workers, beside, always
    init(_ operation: String) {
      switch operation {
      case "lock", "panic": self = .always
      case "unlock", "resume", "identity/export", "identity/rotate", "identity/succession": self = .beside
      // A server, or a TPM, may take its time.
      case "slot/bind": self = .beside
      case _ where operation.hasPrefix("backup/"): self = .beside
      default: self = .workers
      }
    }
  }

  private func run(_ request: ControlRequest, _ channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    perform(request, channel, answer)
    UsedStack.wipe()
  }

  @inline(never)  // what it used of the stack lies below the frame of `run` then
  private func perform(
    _ request: ControlRequest, _ channel: OwnerChannel, _ answer: @escaping @Sendable (ControlResponse) -> Void
  ) {
    do throws(OperationFailure) {
      let result = try operations.perform(request, via: channel)
      guard request.operation == "pair/new" else { return answer(.success(result)) }
      operations.whenHeard(result.json) { answer(.success(ControlResult($0))) }
    } catch {
      answer(.failure(exit: error.exit.rawValue, error: error.error, hint: error.hint))
    }
  }

  private func startBeside(atMost most: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    let beside = beside
    let mayStart = beside.withLock { running in
      guard running < most else { return false }
      running += 1
      return true
    }
    guard mayStart else { return false }
    let thread = startThread {
      body()
      beside.change { $0 -= 1 }
    }
    guard let thread else {
      beside.withLock { $0 -= 1 }
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Waits until no operation of that kind runs, for the end.
  func drain(milliseconds: Int) { _ = beside.wait(milliseconds: milliseconds) { $0 == 0 ? true : nil } }
}
