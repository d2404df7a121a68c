import AuditLog
import OwnerAPI
import Platform
import Signer

/// A check of the whole log. It takes minutes for a log of gigabytes, so it has a thread of its own, and a caller can ask again and
/// again how far it is. Only one check runs at a time: a caller who asks meanwhile gets that one's result.
final class LogCheck: Sendable {
  /// The result of a check.
  enum Outcome: Sendable {
    case done(AuditVerification)
    case failed(AuditLogError)
  }

  private struct State {
    /// Counts the checks. It is the number of the running check, or of the last one.
    var number: Int64 = 0
    var isRunning = false
    var checked: UInt64 = 0
    var outcome: Outcome?
    var isEnded = false
  }

  private let state = Locked(State())

  /// Begins a check if none runs, and waits for it.
  /// - Parameters:
  ///   - number: the number of a check that was begun before; nil for the running one, or a new one.
  ///   - milliseconds: how long to wait; nil until it is done.
  ///   - body: does the check. Its argument says whether to continue, as `AuditLog.verify` asks.
  /// - Returns: the number of the check, how many entries are right so far, and its result; nil while it runs.
  func run(
    _ number: Int64?, milliseconds: Int?,
    _ body: @escaping @Sendable (_ goesOn: (UInt64) -> Bool) throws(AuditLogError) -> AuditVerification
  ) -> (number: Int64, checked: UInt64, outcome: Outcome?) {
    let begins = state.withLock { state in
      if state.isRunning || number == state.number { return false }
      state.number += 1
      (state.isRunning, state.checked, state.outcome) = (true, 0, nil)
      return true
    }
    if begins { begin(body) }
    // If another check began since then, its result is as good, because it is a later one.
    let outcome = state.wait(milliseconds: milliseconds) { $0.outcome }
    return state.withLock { ($0.number, $0.checked, outcome) }
  }

  /// Ends the running check; later ones fail at once.
  func end() { state.change { $0.isEnded = true } }

  private func begin(_ body: @escaping @Sendable (_ goesOn: (UInt64) -> Bool) throws(AuditLogError) -> AuditVerification) {
    let work = { @Sendable [self] in
      let outcome: Outcome
      do throws(AuditLogError) {
        guard noted(0) else { throw AuditLogError.closed }
        outcome = .done(try body { noted($0) })
      } catch { outcome = .failed(error) }
      state.change { ($0.isRunning, $0.outcome) = (false, outcome) }
    }
    // When no thread can be started, the caller runs the check itself.
    guard SystemThread.startDetached(work) else { return work() }
  }

  private func noted(_ entries: UInt64) -> Bool {
    state.withLock { state in
      state.checked = entries
      return !state.isEnded
    }
  }
}

extension Operations {
  /// If the request has a time to wait, it answers after that time although the check is not done.
  func verifyLog(_ request: LogVerify.Request) throws -> LogVerify.Response {
    let (keys, anchor) = (try? LogRecords.keys(home.vault), try LogRecords.anchor(home.vault))
    let wait = try request.wait.natural("wait").map { Int(min($0, Self.longestWait)) * 1000 }
    let folder = home.folder.log
    let found = logCheck.run(try request.check.natural("check"), milliseconds: wait) { goesOn throws(AuditLogError) in
      try AuditLog.verify(folder: folder, keys: keys, anchor: anchor, goesOn: goesOn)
    }
    var response = LogVerify.Response()
    switch found.outcome {
    case nil:
      var underWay = LogCheckUnderWay()
      (underWay.check, underWay.checked) = (found.number, Int64(clamping: found.checked))
      underWay.entries = Int64(clamping: home.log.count)
      response.underWay = underWay
    case .failed(.closed)?: throw OperationError.logCheckEnded
    case .failed(let error)?: response.result = LogCheckResult(error)
    case .done(let result)?:
      if result.fault != nil, running != nil { home.sessionLock.report(.logTampered) }
      response.result = LogCheckResult(result)
    }
    return response
  }

  /// In seconds.
  private static let longestWait: Int64 = 300

  /// Ends all reading of the log, which may take minutes, because the signer stops.
  package func endReading() {
    logCheck.end()
    home.log.endReading()
  }
}

extension OperationError {
  static let logCheckEnded = failed(
    "The check of the log was stopped before the end.", hint: "Run it again: holdfast log verify")
}
