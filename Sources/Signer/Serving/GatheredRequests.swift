internal import AuditLog
internal import Curve
internal import Platform
internal import RemoteSigning

/// Requests that use no key, as `ping`: of each app and method the first within a minute stands in the log as any other, the rest
/// together. Nobody can fill the log with them, and they wait for no disk.
final class GatheredRequests: Sendable {
  private struct Key: Hashable {
    let client: PublicKey
    let identity: PublicKey?
    let method: Method?
  }

  private let counts = Locked<[Key: Int]>([:])

  /// Whether it is to be recorded by itself; else it was counted.
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

  /// Ends the minute: writes down what was counted. What could not be written is counted on.
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
  /// Whether nothing is done for it but an answer, which anybody may have.
  var isKeyless: Bool { if case .answer = action { facts == nil && answer == nil } else { false } }
}
