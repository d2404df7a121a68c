internal import AuditLog
package import JSON
internal import RemoteSigning
internal import Signer

/// What `status` tells of a running signer: the same as `/metrics`, as JSON.
package enum StatusReport {
  package static func members(_ seen: Observation) -> [JSONValue.Member] {
    let (counters, problems) = (seen.counters, seen.problems)
    return [
      .init("health", problems.isEmpty ? "ok" : "degraded"), .init("problems", .array(problems.map(problem))),
      .init("incidents", number(counters.incidents.values.reduce(0, +))), .init("uptime", .integer(seen.uptime)),
      .init("requests", .array(AuditMethod.allCases.compactMap { requests(of: $0, counters) })),
      .init("answered", number(counters.answered)), .init("signed", number(counters.signed)),
      .init("failed", number(counters.failed)), .init("unrecorded", number(counters.unrecorded)),
      .init("unpublished", number(counters.unpublished)), .init("dropped", dropped(counters)),
      .init("queue_full", number(counters.queueFull)), .init("queued", number(seen.queued)),
      .init("latency_ms", spread(counters.latency, unit: 1_000_000)),
      .init("approval_wait_s", spread(counters.approvalWait, unit: 1_000_000_000)),
      .init("log_bytes", .integer(seen.logBytes)), .init("disk_free_bytes", seen.freeDiskBytes.map { .integer($0) } ?? .null),
      .init("backup_failures", .integer(seen.backupFailures)),
      .init("last_backup", seen.lastBackup.map { .integer($0) } ?? .null),
      .init("connections", connections(seen.connections)),
      .init("memory_kib", .integer(seen.memoryKiB)),
    ]
  }

  private static func problem(_ problem: Problem) -> JSONValue {
    .object([
      .init("name", .string(problem.rawValue)), .init("text", .string(problem.text)), .init("hint", .string(problem.hint)),
    ])
  }

  private static func connections(_ seen: Observation.Connections) -> JSONValue {
    .object([
      .init("open", number(seen.open)), .init("limit", number(seen.limit)), .init("pushed_out", number(seen.pushedOut)),
      .init("turned_away", number(seen.turnedAway)), .init("unfinished", number(seen.unfinished)),
    ])
  }

  private static func requests(of method: AuditMethod, _ counters: Counters) -> JSONValue? {
    let counts = Counters.Verdict.allCases.map { (name: $0.rawValue, count: counters.count(of: method, $0)) }
    guard counts.contains(where: { $0.count > 0 }) else { return nil }
    return .object([.init("method", .string(method.name))] + counts.map { .init($0.name, number($0.count)) })
  }

  private static func dropped(_ counters: Counters) -> JSONValue {
    .object(
      DropReason.allCases.compactMap { reason in counters.dropped[reason].map { .init(reason.rawValue, number($0)) } })
  }

  /// Count, mean, and the bounds below which half, nine tenths and 99 of 100 lie, in the unit; a bound is null beyond the last.
  private static func spread(_ histogram: Histogram, unit: UInt64) -> JSONValue {
    let count = histogram.count
    func bound(_ share: Double) -> JSONValue { histogram.bound(of: share).map { decimal($0, unit) } ?? .null }
    let mean = count == 0 ? JSONValue.null : decimal(histogram.sum / count, unit)
    return .object([
      .init("count", .integer(Int64(clamping: count))), .init("mean", mean), .init("p50", bound(0.5)), .init("p90", bound(0.9)),
      .init("p99", bound(0.99)),
    ])
  }

  /// Nanoseconds in the unit, with up to three decimals.
  private static func decimal(_ nanoseconds: UInt64, _ unit: UInt64) -> JSONValue {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
    let thousandths = "\(1_000 + rest / (unit / 1_000))".dropFirst()
    return .number("\(whole).\(thousandths)")
  }

  private static func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}
