import Platform
import Sockets

/// A connection to the session bus that called the signer. Its calls wait until the bus has said whose it is.
final class BusPeer: @unchecked Sendable {  // Sendable: `state` has a lock; `lastCall` belongs to the owner's lock
  private enum Program: Sendable {
    case unknown([Waiting])
    case known(AskingProgram)
    case refused(AppFault)
  }

  private struct Waiting: Sendable {
    let request: AppRequest
    let bytes: Int
    let answered: @Sendable (AppOutcome) -> Void
  }

  private struct State: Sendable {
    var program = Program.unknown([])
    /// Calls that were not answered yet, and their bytes, which stay in memory for the answer.
    var (calls, bytes) = (0, 0)
  }

  private let app: AppService
  private let state = Locked(State())
  /// When it called last, in calls of everybody.
  var lastCall: UInt64

  init(_ app: AppService, lastCall: UInt64) { (self.app, self.lastCall) = (app, lastCall) }

  var isIdle: Bool { state.withLock { $0.calls == 0 } }

  /// Takes a request.
  /// - Parameter answered: called once, from any thread; not after `end`.
  func take(_ request: AppRequest, bytes: Int, answered: @escaping @Sendable (AppOutcome) -> Void) {
    guard begin(bytes) else { return answered(.failure(.tooManyAtOnce)) }
    let waiting = Waiting(request: request, bytes: bytes) { [weak self] outcome in
      self?.done(bytes)
      answered(outcome)
    }
    let program = state.withLock { state -> Program? in
      guard case .unknown(let others) = state.program else { return state.program }
      state.program = .unknown(others + [waiting])
      return nil
    }
    if let program { pass(waiting, to: program) }
  }

  /// Notes who it is.
  func isKnown(_ found: Result<(PeerProcess, UInt32), AppFault>) {
    let program: Program =
      switch found {
      case .success(let (process, user)): .known(AskingProgram(app, process, user: user))
      case .failure(let fault): .refused(fault)
      }
    let waiting = state.withLock { state -> [Waiting] in
      guard case .unknown(let waiting) = state.program else { return [] }
      state.program = program
      return waiting
    }
    for one in waiting { pass(one, to: program) }
  }

  /// Ends everything that it waits for.
  func end() {
    let program = state.withLock { state in
      defer { state.program = .refused(.unseen) }
      return state.program
    }
    if case .known(let program) = program { program.end() }
  }

  private func pass(_ waiting: Waiting, to program: Program) {
    switch program {
    case .known(let program): program.take(waiting.request, bytes: waiting.bytes, answered: waiting.answered)
    case .refused(let fault): waiting.answered(.failure(fault))
    case .unknown: break
    }
  }

  private func begin(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.calls < AppSocket.requestsAtOnce, state.bytes + bytes <= AppSocket.bytesOfOne else { return false }
      state.calls += 1
      state.bytes += bytes
      return true
    }
  }

  private func done(_ bytes: Int) {
    state.withLock { state in
      state.calls -= 1
      state.bytes -= bytes
    }
  }
}
