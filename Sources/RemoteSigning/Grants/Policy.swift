/// The rules themselves: a pure function.
public enum Policy {
  /// What is to be known besides the request and the grant.
  public struct Conditions: Hashable, Sendable {
    /// The owner's settings for all apps.
    public var settings: PolicySettings
    /// Whether every use of a key is asked for now, whatever was granted.
    public var isSuspended: Bool
    /// What the app has used up. Nil where limits do not count: for what was counted already.
    public var usage: Usage?

    /// The usual conditions unless told otherwise.
    public init(settings: PolicySettings = PolicySettings(), isSuspended: Bool = false, usage: Usage? = nil) {
      (self.settings, self.isSuspended, self.usage) = (settings, isSuspended, usage)
    }
  }

  /// - Parameter now: seconds since 1970.
  /// - Returns: the first rule that applies, with its answer.
  public static func decision(
    for request: RequestFacts, under grant: Grant, at now: Int64, in conditions: Conditions = Conditions()
  ) -> Decision {
    if request.method.isAlwaysAllowed { return Decision(.allow, by: .alwaysAllowed) }
    let said = grant.rules.isEmpty ? nil : grant.rule(for: request, at: now)
    if said?.verdict == .deny { return Decision(.deny, by: .ownerDenied) }
    if conditions.isSuspended || grant.isSuspended { return Decision(.ask, by: .suspended) }
    if said?.verdict == .ask { return Decision(.ask, by: .ownerAsks) }
    let decision = byKind(request, grant, allowance: said, now)
    guard decision.verdict == .allow else { return decision }
    if let change = request.follows, let rule = followRule(change, decision, conditions.settings) {
      return Decision(.ask, by: rule)
    }
    if let usage = conditions.usage, let rule = usage.exceeded(by: request, under: grant, at: now) {
      return Decision(.ask, by: rule)
    }
    return decision
  }

  private static func byKind(
    _ request: RequestFacts, _ grant: Grant, allowance: GrantRule?, _ now: Int64
  ) -> Decision {
    // An allowance that names the kind or the counterparty. A broad one does not reach that far.
    let isNamed = allowance.map { $0.permission.kind != nil || $0.permission.scope != nil } ?? false
    guard let kind = request.kind else {
      return isNamed ? Decision(.allow, by: .ownerAllowed) : byTrust(request, grant, isProtected: false, allowance)
    }
    if kind == GuardedKinds.succession { return Decision(.ask, by: .succession) }
    if GuardedKinds.wallet.contains(kind) {
      return isNamed && allowance?.expiresAt != nil ? Decision(.allow, by: .ownerAllowed) : Decision(.ask, by: .walletKind)
    }
    if kind == GuardedKinds.webLogin {
      let isGranted = allowance?.permission.scope != nil && isDatedWithin(allowance?.expiresAt, request, now)
      return isGranted ? Decision(.allow, by: .ownerAllowed) : Decision(.ask, by: .webLogin)
    }
    if kind == GuardedKinds.relayLogin { return relayLogin(request, grant, allowance) }
    if isNamed { return Decision(.allow, by: .ownerAllowed) }
    return byTrust(request, grant, isProtected: GuardedKinds.protected.contains(kind), allowance)
  }

  /// How far ahead of our clock a login may be dated without being asked about, in seconds.
  static let toleratedLead: Int64 = 60

  // A login dated ahead is one to be used later: an allowance of an hour would be good for logins of next year.
  private static func isDatedWithin(_ end: Int64?, _ request: RequestFacts, _ now: Int64) -> Bool {
    guard let end else { return false }
    guard let datedAt = request.datedAt, datedAt > now else { return true }
    let (lead, overflow) = datedAt.subtractingReportingOverflow(now)
    return !overflow && lead <= toleratedLead && datedAt < end
  }

  private static func relayLogin(_ request: RequestFacts, _ grant: Grant, _ allowance: GrantRule?) -> Decision {
    if allowance?.permission.scope != nil { return Decision(.allow, by: .ownerAllowed) }
    switch grant.trust {
    case .full: return Decision(.allow, by: .fullTrust)
    case .medium where request.isKnownRelay: return Decision(.allow, by: .knownRelay)
    case .medium: return Decision(.ask, by: .relayLogin)
    case .low: return Decision(.ask, by: .lowTrust)
    }
  }

  // A broad "sign_event" does not reach the protected kinds: those are allowed one by one.
  private static func byTrust(
    _ request: RequestFacts, _ grant: Grant, isProtected: Bool, _ allowance: GrantRule?
  ) -> Decision {
    if grant.trust == .full { return Decision(.allow, by: .fullTrust) }
    if allowance != nil && !isProtected { return Decision(.allow, by: .ownerAllowed) }
    if grant.trust == .low { return Decision(.ask, by: .lowTrust) }
    if isProtected { return Decision(.ask, by: .protectedKind) }
    return Decision(.allow, by: request.isSelf ? .selfEncryption : .mediumTrust)
  }

  // Whatever else is allowed, a list that would lose many is shown first. Where none is known to compare with, an app of full trust
  // may go on: it was told to be asked about nothing of that sort.
  private static func followRule(_ change: FollowChange, _ decision: Decision, _ settings: PolicySettings) -> Rule? {
    if case .unknown = change { return decision.rule == .fullTrust ? nil : .followListUnknown }
    return change.drops(more: settings.followShare) ? .followListDrops : nil
  }
}
