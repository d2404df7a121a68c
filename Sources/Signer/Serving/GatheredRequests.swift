import AuditLog
import Curve
import Platform
import RemoteSigning

/// Counts requests that use no key, such as `ping`. For each app and method, the first within a minute gets its own log entry,
/// and the rest share one. Nobody can fill the log with them, and they do not wait for the disk.
final class GatheredRequests: Sendable {
  private struct Key: Hashable {
    let client: PublicKey
    let identity: PublicKey?
    let method: Method?
  }

  private let counts = Locked<[Key: Int]>([:])

  /// Whether the request gets its own entry. Otherwise it was counted.
  func isFirst(_ exchange: Exchange) -> Bool {
    let key = Key(client: exchange.client, identity: exchange.identity, method: exchange.method)
    return counts.withLock { counts in
      guard let count = counts[key] else {
        counts[key] = 0
        return true
      }
      counts[key] = count + 1
      return false
    }
  }

  /// Ends the minute and records the counts. Counts that could not be recorded are kept.
  func record(in log: AuditLog, time: Int64) {
    let ended = counts.withLock { counts in
      defer { counts = [:] }
      return counts.filter { $0.value > 0 }
    }
    for (key, count) in ended {
      let entry = AuditEntry(
        time: time, kind: .requestsGathered, identity: key.identity, client: key.client, method: AuditMethod(key.method),
        amount: Int64(count))
      log.append(entry) { [counts] result in
        if case .failure = result { counts.withLock { $0[key, default: 0] += count } }
      }
    }
  }
}

extension Exchange {
  /// Whether the request only gets an answer that anybody may have.
  var isKeyless: Bool { if case .answer = action { facts == nil && answer == nil } else { false } }
}
