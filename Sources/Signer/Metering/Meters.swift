import Platform
package import RemoteSigning

/// All counts, behind one short lock. A request takes it three times, 20 ns each.
package final class Meters: Sendable {
  private let counters = Locked(Counters())
  /// When the waiting requests arrived, in seconds since 1970, by name.
  private let waiting = Locked<[String: Int64]>([:])

  package var counts: Counters { counters.withLock { $0 } }

  package func note<Result>(_ change: (inout Counters) -> Result) -> Result { counters.withLock(change) }

  /// Counts from signer events: requests that begin to wait and are answered, and incidents.
  /// - Parameters:
  ///   - known: requests that already wait.
  ///   - now: seconds since 1970.
  package func listen(to signerEvents: SignerEvents, known: [PendingRequest], now: @escaping @Sendable () -> Int64) {
    waiting.withLock { waiting in for request in known { waiting[request.name] = request.receivedAt } }
    signerEvents.subscribe { [self] signerEvent in
      switch signerEvent {
      case .requestWaits(let request): begins(request)
      case .requestEnded(let name, let approved): ends(name, wasAnswered: approved != nil, now())
      case .incident(let incident) where !incident.isOwners: note { $0.incidents[incident.severity, default: 0] += 1 }
      default: break
      }
    }
  }

  private func begins(_ request: PendingRequest) {
    waiting.withLock { waiting in
      guard waiting.count < PendingRequest.maximumHeld else { return }
      waiting[request.name] = request.receivedAt
    }
  }

  private func ends(_ name: String, wasAnswered: Bool, _ now: Int64) {
    guard let since = waiting.withLock({ $0.removeValue(forKey: name) }), wasAnswered else { return }
    let seconds = UInt64(clamping: now &- since)
    note { $0.approvalWait.observe(min(seconds, Self.longestWait) * 1_000_000_000) }
  }

  /// The longest wait that is counted, in seconds: a week. Longer ones count as this.
  private static let longestWait: UInt64 = 604_800
}
