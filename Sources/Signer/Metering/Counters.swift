package import AuditLog
package import RemoteSigning

/// Counts since the service started. They are numbers only and name no app, key or person.
package struct Counters: Sendable {
  package var answered = 0
  package var signed = 0
  package var failed = 0
  package var unrecorded = 0
  /// Answers that no relay accepted.
  package var unpublished = 0
  /// Events and requests that were refused because too many waited.
  package var queueFull = 0
  package var dropped: [DropReason: Int] = [:]
  package var incidents: [Incident.Severity: Int] = [:]
  /// How many of the incidents the owner has marked as checked.
  package private(set) var checkedIncidents = 0
  /// When a paired app was last told that it asks too much, in seconds since 1970.
  package var lastTooMany: Int64?
  /// Whether the last intent could not be recorded.
  package var isUnrecordable = false
  /// From the arrival of a request to the first relay that took its answer.
  package var latency = Histogram.quick
  /// From a request's arrival to the owner's answer.
  package var approvalWait = Histogram.patient
  private var decisions = [Int](repeating: 0, count: AuditMethod.allCases.count * Verdict.allCases.count)

  /// The incidents of all severities.
  package var allIncidents: Int { incidents.values.reduce(0, +) }
  /// The incidents that the owner has not marked as checked.
  package var newIncidents: Int { allIncidents - checkedIncidents }

  /// Marks all incidents so far as checked.
  package mutating func checkIncidents() { checkedIncidents = allIncidents }

  /// The counted kinds of decisions.
  package enum Verdict: String, CaseIterable {
    case allow, ask, deny
    /// Malformed, an unknown method, or a wrong link secret.
    case error
  }

  mutating func count(_ exchange: Exchange) {
    decisions[Self.place(AuditMethod(exchange.method), Verdict(exchange))] += 1
  }

  mutating func count(_ outcome: Outcome) {
    isUnrecordable = false
    answered += outcome.replies.count
    signed += outcome.signedEvent == nil ? 0 : 1
    failed += outcome.failed ? 1 : 0
  }

  package func count(of method: AuditMethod, _ verdict: Verdict) -> Int { decisions[Self.place(method, verdict)] }

  // Both enumerations list their cases in the order of their numbers, without gaps. A test checks this.
  private static func place(_ method: AuditMethod, _ verdict: Verdict) -> Int {
    Int(method.rawValue) * Verdict.allCases.count + verdict.number
  }
}

extension Counters.Verdict {
  init(_ exchange: Exchange) {
    switch exchange.decision?.verdict {
    case .allow?: self = .allow
    case .ask?: self = .ask
    case .deny?: self = .deny
    case nil: if case .pair = exchange.action { self = .allow } else { self = .error }
    }
  }

  fileprivate var number: Int {
    switch self {
    case .allow: 0
    case .ask: 1
    case .deny: 2
    case .error: 3
    }
  }
}
