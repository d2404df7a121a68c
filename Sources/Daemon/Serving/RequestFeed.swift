import OwnerAPI
import OwnerOperations
import OwnerWords
import Platform
import RemoteSigning
import Signer

/// `request/watch`: which requests began or ended to wait since a cursor, answered at once or when something happens. A waiting
/// caller holds no worker and no thread.
final class RequestFeed: Sendable {
  static let operation = RequestWatch.properties.name
  /// The most callers that may wait at a time.
  static let mostWaiting = 32
  /// The longest wait, in seconds.
  static let longestWait: Int64 = 300
  /// The most changes that are kept. A caller that is further behind gets the whole list.
  static let mostKept = 512

  private struct Change: Sendable {
    let name: String
    /// Nil if the request began to wait.
    let end: End?
  }
  private struct End: Sendable { let approved: Bool? }
  private struct Caller: Sendable {
    let after: Int
    let answer: @Sendable (ControlResponse) -> Void
  }
  private struct State: Sendable {
    var changes: [Change] = []
    /// How many changes there were before those that are kept.
    var forgotten = 0
    var callers: [Int: Caller] = [:]
    var nextCaller = 0
    var isClosed = false

    var count: Int { forgotten + changes.count }
  }

  private let operations: Operations
  private let workers: Workers
  private let after: @Sendable (_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Void
  /// Distinguishes this run's cursors from another run's.
  private let run = String(Clock.milliseconds, radix: 36)
  private let state = Locked(State())

  /// - Parameter after: runs a job so many milliseconds later.
  init(
    _ operations: Operations, _ workers: Workers,
    after: @escaping @Sendable (_ milliseconds: Int, _ job: @escaping @Sendable () -> Void) -> Void
  ) {
    (self.operations, self.workers, self.after) = (operations, workers, after)
    operations.home.signerEvents.subscribe { [weak self] in self?.hear($0) }
  }

  /// Answers once: with changes, or with none when the time is over.
  func take(_ request: ControlRequest, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    do throws(FieldError) { take(try RequestWatch.request(from: request), answer) } catch {
      let error = OperationError(error)
      answer(ControlResponse(error))
    }
  }

  private func take(_ request: RequestWatch.Request, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    let wait = min(max(0, request.wait ?? 0), Self.longestWait)
    let position = request.after.flatMap { self.position($0) }
    let number = state.withLock { state -> Int? in
      guard let position, position == state.count, wait > 0, !state.isClosed, state.callers.count < Self.mostWaiting else {
        return nil
      }
      state.nextCaller += 1
      state.callers[state.nextCaller] = Caller(after: position, answer: answer)
      return state.nextCaller
    }
    guard let number else { return reply(Caller(after: position ?? -1, answer: answer)) }
    after(Int(wait) * 1000) { [weak self] in self?.release(number) }
  }

  /// Ends all waits, because the signer stops.
  func close() {
    let left = state.withLock { state in
      state.isClosed = true
      defer { state.callers = [:] }
      return Array(state.callers.values)
    }
    for caller in left { caller.answer(.failure(exit: 1, error: "The signer is stopping.", hint: nil)) }
  }

  private func hear(_ signerEvent: SignerEvent) {
    let change: Change
    switch signerEvent {
    case .requestWaits(let request): change = Change(name: request.name, end: nil)
    case .requestEnded(let name, let approved): change = Change(name: name, end: End(approved: approved))
    default: return
    }
    let waiting = state.withLock { state in
      state.changes.append(change)
      if state.changes.count > Self.mostKept {
        state.changes.removeFirst()
        state.forgotten += 1
      }
      defer { state.callers = [:] }
      return Array(state.callers.values)
    }
    for caller in waiting { reply(caller) }
  }

  private func release(_ number: Int) {
    guard let caller = state.withLock({ $0.callers.removeValue(forKey: number) }) else { return }
    reply(caller)
  }

  private func reply(_ caller: Caller) {
    let isTaken = workers.submitFirst { [self] in caller.answer(.success(RequestWatch.result(news(after: caller.after)))) }
    if !isTaken { caller.answer(.failure(exit: 1, error: "The signer is busy.", hint: "Try again.")) }
  }

  private func news(after: Int) -> RequestWatch.Response {
    let (count, changes) = state.withLock { state -> (Int, [Change]?) in
      guard after >= state.forgotten, after <= state.count else { return (state.count, nil) }
      return (state.count, Array(state.changes.dropFirst(after - state.forgotten)))
    }
    let begun = changes.map { Set($0.filter { $0.end == nil }.map(\.name)) }
    var news = RequestWatch.Response()
    (news.cursor, news.isWhole) = ("\(run).\(count)", changes == nil)
    news.requests = operations.waitingRequests { begun?.contains($0.name) ?? true }
    news.ended = (changes ?? []).compactMap { change in change.end.map { EndedRequest(change.name, $0.approved) } }
    return news
  }

  private func position(_ cursor: String) -> Int? {
    let parts = cursor.split(separator: ".")
    guard parts.count == 2, parts[0] == run, let number = Int(parts[1]) else { return nil }
    return number
  }
}

extension EndedRequest {
  fileprivate init(_ name: String, _ isApproved: Bool?) {
    self.init()
    (id, self.isApproved) = (name, isApproved)
  }
}
