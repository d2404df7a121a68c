import HTTPClient
import Platform
import WebPush

/// Tells the operator that pushes fail and why, and that they pass again: in few lines, whatever happens. Nothing in them names a
/// device: of its address they have the host alone.
///
/// Each host has lines of its own. Anybody may register devices at hosts of their own that fail, so a host is told once an hour for each reason, and
/// all hosts but Apple's together have few lines an hour.
final class SendingRemarks: Sendable {
  private struct Host {
    /// Why the last push failed that the operator was told of; nil while pushes pass.
    var reason: String?
    /// Why the last attempt failed that was made again.
    var cause: WakeOutcome?
    /// When each reason may be told again, in milliseconds of a clock that never goes back.
    var next: [String: Int64] = [:]
    /// When it may be told that pushes pass again.
    var nextPassing: Int64 = .min
    /// When something failed last.
    var failedAt: Int64 = .min
  }

  private struct State {
    var hosts: [String: Host] = [:]
    var lines = PacedKeys<Bool>(interval: longPause / linesPerHour, burst: linesPerHour, limit: 2)
  }

  /// The time between two lines of one host and reason, in milliseconds.
  static let longPause: Int64 = 3_600_000
  /// The time after a failure that was told until it may be told that pushes pass again, in milliseconds.
  static let pause: Int64 = 60_000
  /// The most hosts that are remembered. For a further one, the one that failed longest ago is forgotten.
  static let mostHosts = 1_000
  /// The most reasons of one host that are told in an hour.
  static let mostReasons = 16
  /// The most failures of all hosts but Apple's that are told in an hour.
  static let linesPerHour: Int64 = 60

  private let state = Locked(State())
  private let remark: @Sendable (Remark) -> Void

  init(_ remark: @escaping @Sendable (Remark) -> Void) { self.remark = remark }

  /// How many hosts are remembered.
  var count: Int { state.withLock { $0.hosts.count } }

  /// Takes the result of an attempt.
  /// - Parameter now: milliseconds of a clock that never goes back.
  func settled(_ wake: Wake, _ outcome: WakeOutcome, _ isOver: Bool, now: Int64 = Clock.bootMilliseconds) {
    let name = wake.target.host ?? Self.apple
    if let line = state.withLock({ Self.line(name, outcome, isOver, now, &$0) }) { remark(line) }
  }

  private static let apple = "Apple's service"

  private static func line(_ name: String, _ outcome: WakeOutcome, _ isOver: Bool, _ now: Int64, _ state: inout State) -> Remark?
  {
    switch outcome {
    case .delivered: return passed(name, now, &state)
    case .failed(.brokenOff), .failed(.timedOut), .failed(.unreachable), .later:
      // The next attempt may pass, as after a connection that had ended.
      note(name, now, &state) { $0.cause = outcome }
      return isOver ? failed(name, outcome, isOver, now, &state) : nil
    case .tooLate: return failed(name, state.hosts[name]?.cause ?? outcome, true, now, &state)
    case .failed, .refused, .noRoom, .notMade: return failed(name, outcome, isOver, now, &state)
    case .gone, .tooOften, .tokenExpired, .noService: return nil
    }
  }

  private static func passed(_ name: String, _ now: Int64, _ state: inout State) -> Remark? {
    guard let host = state.hosts[name] else { return nil }
    state.hosts[name]?.cause = nil
    guard host.reason != nil, now >= host.nextPassing else { return nil }
    state.hosts[name]?.reason = nil
    return .news("Pushes to \(name) pass again.")
  }

  private static func failed(
    _ name: String, _ outcome: WakeOutcome, _ isOver: Bool, _ now: Int64, _ state: inout State
  ) -> Remark? {
    guard let reason = outcome.failure else { return nil }
    var mayTell = false
    note(name, now, &state) { host in
      host.next = host.next.filter { $0.value > now }
      mayTell = host.next[reason] == nil && host.next.count < mostReasons
    }
    guard mayTell, name == apple || state.lines.take(true, now: now) else { return nil }
    note(name, now, &state) { host in
      host.next[reason] = now + longPause
      (host.reason, host.nextPassing) = (reason, now + pause)
    }
    let what = isOver ? "The device was not woken." : "It is sent again while the wake is of use."
    return .trouble("A push to \(name) failed: \(reason). \(what)\(advice(outcome))")
  }

  private static func note(_ name: String, _ now: Int64, _ state: inout State, _ change: (inout Host) -> Void) {
    if state.hosts[name] == nil, state.hosts.count >= mostHosts,
      let oldest = state.hosts.min(by: { $0.value.failedAt < $1.value.failedAt })?.key
    {
      state.hosts[oldest] = nil
    }
    state.hosts[name, default: Host()].failedAt = now
    change(&state.hosts[name, default: Host()])
  }

  private static func advice(_ outcome: WakeOutcome) -> String {
    switch outcome {
    case .failed(.notTrusted): " If the service has an authority of its own, name it with --push-ca."
    case .failed(.addressRefused): " --allow-private allows services inside private networks."
    default: ""
    }
  }
}
