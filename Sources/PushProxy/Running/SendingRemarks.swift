import HTTPClient
import Platform
import WebPush

/// Tells the operator that pushes fail and why, and that they pass again: in few lines, whatever happens. Nothing in them names a
/// device: of its address they have the host alone.
final class SendingRemarks: Sendable {
  /// The services that have lines of their own.
  private enum Kind { case apple, other }

  private struct State {
    /// Where the last push failed that the operator was told of.
    var name = ""
    /// Why the last push failed that the operator was told of; nil while pushes pass.
    var reason: String?
    /// Why the last attempt failed that was made again, and where.
    var cause: (name: String, outcome: WakeOutcome)?
    /// When a line may be said again, in milliseconds of a clock that never goes back; and one of the same reason.
    var next: Int64 = .min
    var nextOfSame: Int64 = .min
  }

  /// The time between two lines about one kind of service, in milliseconds; and between two of the same failure.
  static let pause: Int64 = 60_000
  static let longPause: Int64 = 3_600_000

  private let state = Locked<[Kind: State]>([:])
  private let remark: @Sendable (String) -> Void

  init(_ remark: @escaping @Sendable (String) -> Void) { self.remark = remark }

  /// Takes the result of an attempt.
  /// - Parameter now: milliseconds of a clock that never goes back.
  func settled(_ wake: Wake, _ outcome: WakeOutcome, _ isOver: Bool, now: Int64 = Clock.bootMilliseconds) {
    let kind: Kind = if case .apple = wake.target { .apple } else { .other }
    let name = wake.target.endpoint?.host ?? "Apple's service"
    if let line = state.withLock({ Self.line(name, outcome, isOver, now, &$0[kind, default: State()]) }) { remark(line) }
  }

  private static func line(_ name: String, _ outcome: WakeOutcome, _ isOver: Bool, _ now: Int64, _ state: inout State) -> String?
  {
    switch outcome {
    case .delivered: return passed(name, now, &state)
    case .failed(.brokenOff), .failed(.timedOut), .failed(.unreachable), .later:
      // The next attempt may pass, as after a connection that had ended.
      state.cause = (name, outcome)
      return isOver ? failed(name, outcome, isOver, now, &state) : nil
    case .tooLate:
      let cause = state.cause.flatMap { $0.name == name ? $0.outcome : nil }
      return failed(name, cause ?? outcome, true, now, &state)
    case .failed, .refused, .noRoom, .notMade: return failed(name, outcome, isOver, now, &state)
    case .gone, .tooOften, .tokenExpired, .noService: return nil
    }
  }

  private static func passed(_ name: String, _ now: Int64, _ state: inout State) -> String? {
    guard state.reason != nil, state.name == name, now >= state.next else { return nil }
    (state.reason, state.cause, state.next) = (nil, nil, now + pause)
    return "Pushes to \(name) pass again."
  }

  private static func failed(
    _ name: String, _ outcome: WakeOutcome, _ isOver: Bool, _ now: Int64, _ state: inout State
  ) -> String? {
    let isSame = state.reason == outcome.failure && state.name == name
    guard let reason = outcome.failure, now >= (isSame ? state.nextOfSame : state.next) else { return nil }
    (state.name, state.reason, state.next, state.nextOfSame) = (name, reason, now + pause, now + longPause)
    let what = isOver ? "The device was not woken." : "It is sent again while the wake is of use."
    return "A push to \(name) failed: \(reason). \(what)\(advice(outcome))"
  }

  private static func advice(_ outcome: WakeOutcome) -> String {
    switch outcome {
    case .failed(.notTrusted): " If the service has an authority of its own, name it with --push-ca."
    case .failed(.addressRefused): " --allow-private allows services inside private networks."
    default: ""
    }
  }
}
