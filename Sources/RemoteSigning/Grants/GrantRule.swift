/// One rule of the owner about an app: a permission, the answer, and for how long.
public struct GrantRule: Hashable, Sendable {
  /// What it is about.
  public let permission: Permission
  /// The answer to such requests.
  public let verdict: Decision.Verdict
  /// When it was said, seconds since 1970. 0 in older records, which hold no time.
  public let madeAt: Int64
  /// Seconds since 1970; from then on the rule counts as absent. Nil for no end.
  public let expiresAt: Int64?

  /// A rule with all its parts.
  public init(_ permission: Permission, _ verdict: Decision.Verdict, madeAt: Int64 = 0, expiresAt: Int64? = nil) {
    (self.permission, self.verdict, self.madeAt, self.expiresAt) = (permission, verdict, madeAt, expiresAt)
  }

  /// How many seconds the clock may have been set back since a rule was made, until an allowance with an end counts as absent.
  static let toleratedStep: Int64 = 60

  /// Whether the rule counts at that time. An allowance with an end does not count before it was made: after the clock is set
  /// back, five minutes could become a year.
  public func isInForce(at now: Int64) -> Bool {
    guard let expiresAt else { return true }
    guard now < expiresAt else { return false }
    return verdict != .allow || madeAt <= now || madeAt - now <= Self.toleratedStep
  }

  /// Whether the rule applies to such a request. A denial applies to all addresses of a place: relays look only at the host, so
  /// another path or port leads to the same place. A place that cannot be read counts as every place.
  func reaches(_ request: RequestFacts) -> Bool {
    if permission.reaches(request) { return true }
    guard verdict != .allow, permission.method == request.method, permission.kind == request.kind,
      let denied = permission.scope
    else { return false }
    guard let asked = request.scope else { return request.isPlaceHidden }
    return denied.isPlace(of: asked)
  }

  /// Whether it is an allowance for at most that many seconds.
  func isPassing(_ longest: Remembered) -> Bool {
    guard let expiresAt, let seconds = longest.seconds else { return longest == .always }
    let (length, overflow) = expiresAt.subtractingReportingOverflow(madeAt)
    return !overflow && length <= seconds
  }

  var end: Int64 { expiresAt ?? .max }

  /// Which of two rules about one permission holds: the one that ends first. It was made later and covers the other.
  func isOver(_ other: GrantRule) -> Bool {
    end == other.end ? verdict.caution > other.verdict.caution : end < other.end
  }
}

extension Decision.Verdict {
  /// Deny before ask before allow.
  var caution: Int {
    switch self {
    case .allow: 0
    case .ask: 1
    case .deny: 2
    }
  }
}
