import AuditLog
package import Curve
import Identities
import JSON
package import Observability
package import OwnerAPI
import OwnerWords
package import Relays
import RemoteSigning
import Signer
package import Sockets

// What `status` says about a running signer: the same as `/metrics`.
extension RunningStatus {
  /// - Parameter seen: the state of the signer. Process, console, relays and files are added by others.
  package init(_ seen: Observation) {
    self.init()
    let (counters, problems) = (seen.counters, seen.problems)
    health = problems.isEmpty ? .ok : .degraded
    self.problems = problems.map { StatusProblem($0, isLocked: seen.isLocked) }
    (incidents, newIncidents, uptime) = (Int64(counters.allIncidents), Int64(counters.newIncidents), seen.uptime)
    requests = AuditMethod.allCases.compactMap { MethodCounts(of: $0, counters) }
    answers = AnswerCounts(counters, queued: seen.queued)
    latency = Spread(counters.latency, unit: 1_000_000)
    approvalWait = Spread(counters.approvalWait, unit: 1_000_000_000)
    resources = ResourceStatus(seen)
  }
}

extension StatusProblem {
  init(_ problem: Problem, isLocked: Bool) {
    self.init()
    (name, text) = (ProblemName(problem), problem.text(isLocked: isLocked))
    hint = problem.hint(isLocked: isLocked)
  }
}

extension MethodCounts {
  /// Nil for a method that nobody used.
  init?(of method: AuditMethod, _ counters: Counters) {
    self.init()
    self.method = RequestMethod(rawValue: method.name) ?? .other
    allowed = Int64(counters.count(of: method, .allow))
    asked = Int64(counters.count(of: method, .ask))
    denied = Int64(counters.count(of: method, .deny))
    inError = Int64(counters.count(of: method, .error))
    guard allowed + asked + denied + inError > 0 else { return nil }
  }
}

extension AnswerCounts {
  init(_ counters: Counters, queued: Int) {
    self.init()
    (answered, signed, failed) = (Int64(counters.answered), Int64(counters.signed), Int64(counters.failed))
    (unrecorded, unpublished) = (Int64(counters.unrecorded), Int64(counters.unpublished))
    dropped = .object(
      DropReason.allCases.compactMap { reason in counters.dropped[reason].map { .init(reason.rawValue, .integer(Int64($0))) } })
    (queueFull, self.queued) = (Int64(counters.queueFull), Int64(queued))
  }
}

extension Spread {
  /// Count, mean, and the bounds for half, nine tenths and 99 of 100 values, in the unit. A bound is nil beyond the last.
  init(_ histogram: Histogram, unit: UInt64) {
    self.init()
    let total = histogram.count
    count = Int64(clamping: total)
    mean = total == 0 ? nil : Self.decimal(histogram.sum / total, unit)
    half = histogram.bound(of: 0.5).map { Self.decimal($0, unit) }
    nineTenths = histogram.bound(of: 0.9).map { Self.decimal($0, unit) }
    ninetyNineOf100 = histogram.bound(of: 0.99).map { Self.decimal($0, unit) }
  }

  /// Nanoseconds in the unit, with three decimals.
  private static func decimal(_ nanoseconds: UInt64, _ unit: UInt64) -> JSONValue {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
    let thousandths = "\(1_000 + rest / (unit / 1_000))".dropFirst()
    return .number("\(whole).\(thousandths)")
  }
}

extension ResourceStatus {
  init(_ seen: Observation) {
    self.init()
    (logBytes, freeDiskBytes) = (seen.logBytes, seen.freeDiskBytes)
    (backupFailures, lastBackup) = (seen.backupFailures, seen.lastBackup)
    connections = ConnectionCounts(seen.connections)
    memoryKiB = seen.memoryKiB
  }
}

extension ConnectionCounts {
  init(_ seen: Observation.Connections) {
    self.init()
    (open, limit) = (Int64(seen.open), Int64(seen.limit))
    (closedForOthers, refused, closedUnfinished) = (Int64(seen.pushedOut), Int64(seen.refused), Int64(seen.unfinished))
  }
}

extension RelayStatus {
  /// The embedded relay.
  package init(embeddedAt url: WebSocketURL, _ seen: Observation.Embedded) {
    self.init()
    (self.url, state) = (url.text, .embedded)
    var counts = EmbeddedRelayCounts()
    (counts.connections, counts.subscriptions) = (Int64(seen.connections), Int64(seen.subscriptions))
    counts.kept = Int64(seen.kept)
    embedded = counts
  }

  /// The most keys that are named for a relay that is not connected.
  private static let mostUsers = 20

  /// An outside relay.
  /// - Parameters:
  ///   - isNamedAtStart: whether the owner named it when the signer was started.
  ///   - users: the signer's keys whose pairing or link names it.
  package init(_ health: RelayHealth, mayBeInside: Bool, isNamedAtStart: Bool, users: [PublicKey]) {
    self.init()
    (url, state) = (health.url, RelayState(health.state))
    var status = RelayConnectionStatus()
    (status.since, status.awaySince) = (health.since, health.awaySince)
    (status.received, status.published) = (Int64(health.received), Int64(health.published))
    (status.refused, status.connects) = (Int64(health.refused), Int64(health.connects))
    status.lastOK = health.lastOK.map { Int64($0) }
    status.lastError = health.lastError.map { $0 + (health.isRefusedInside ? Self.allowing : "") }
    (status.lastNotice, status.mayBeInside) = (health.lastNotice, mayBeInside)
    (status.isNamedAtStart, status.users) = (isNamedAtStart, users.sorted().prefix(Self.mostUsers).map(\.hex))
    status.hours = health.history.hours.map(RelayHour.init)
    connection = status
  }

  /// What to do about a relay inside the owner's network.
  private static let allowing = "; to allow it, accept the app's link again: holdfast pair --local-relay"
}

extension RelayHour {
  fileprivate init(_ hour: RelayHistory.Hour) {
    self.init()
    (start, drops) = (hour.start, Int64(hour.drops))
    (accepted, delay) = (Int64(hour.accepted), hour.meanDelay.map { Int64($0) })
  }
}
