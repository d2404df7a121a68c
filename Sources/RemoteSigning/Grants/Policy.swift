import Nostr

/// The rules themselves: a pure function.
public enum Policy {
  /// The facts besides the request and the grant.
  public struct Conditions: Hashable, Sendable {
    /// The owner's settings for all apps.
    public var settings: PolicySettings
    /// Whether every use of a key is asked for now, whatever was granted.
    public var isSuspended: Bool
    /// What the app has used up. Nil if limits do not apply, because the request was counted before.
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
    if grant.isFirstUse { return Decision(.ask, by: .firstUse) }
    if request.method.isAlwaysAllowed { return Decision(.allow, by: .alwaysAllowed) }
    if request.isSignersEnvelope || request.kind == SignerEnvelope.kind { return Decision(.deny, by: .signersEnvelope) }
    let said = grant.rules.isEmpty ? nil : grant.rule(for: request, at: now)
    if said?.verdict == .deny { return Decision(.deny, by: .ownerDenied) }
    if conditions.isSuspended { return Decision(.ask, by: .lockedDown) }
    if grant.isSuspended { return Decision(.ask, by: .suspended) }
    if said?.verdict == .ask { return Decision(.ask, by: .ownerAsks) }
    let decision = byKind(request, grant, allowance: said, now)
    guard decision.verdict == .allow else {
      // The weightier reason: the owner has to know it, although the trust asks as well.
      let isOfTrust = decision.rule == .protectedKind || decision.rule == .lowTrust
      return isOfTrust && request.changesPayment ? Decision(.ask, by: .paymentAddress) : decision
    }
    // On relays it would replace all events with an earlier date, also the owner's own.
    if SigningTime.isAhead(request.datedAt, of: now) { return Decision(.ask, by: .datedAhead) }
    if request.paysOthers, grant.trust != .full || request.kind == EventKind.metadata { return Decision(.ask, by: .zapSplit) }
    if request.changesPayment { return Decision(.ask, by: .paymentAddress) }
    if request.deletesList { return Decision(.ask, by: .deletesList) }
    if let change = request.follows, let rule = followRule(change, grant, conditions.settings) {
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
    let named = allowance.flatMap { $0.permission.kind != nil || $0.permission.scope != nil ? $0 : nil }
    guard let kind = request.kind else { return withoutKind(request, grant, named, allowance) }
    switch KindTable.care(for: kind) {
    case .eachTime: return Decision(.ask, by: eachTime(kind))
    case .dayAtMost:
      return named?.isPassing(.day) ?? false ? Decision(.allow, by: .ownerAllowed) : Decision(.ask, by: .walletKind)
    case .byPlace: return login(kind, request, grant, allowance, now)
    case .guarded:
      let rule = KindTable.effect(of: kind) == .unknown ? Rule.unknownKind : .protectedKind
      return named != nil ? Decision(.allow, by: .ownerAllowed) : byTrust(request, grant, asking: rule, allowance)
    case .usual:
      return named != nil ? Decision(.allow, by: .ownerAllowed) : byTrust(request, grant, asking: nil, allowance)
    }
  }

  private static func eachTime(_ kind: Int) -> Rule {
    switch kind {
    case GuardedKinds.succession: .succession
    case GuardedKinds.vanish: .vanish
    default: .keyHandling
    }
  }

  // What somebody encrypted to himself may be money: tokens and keys of a wallet (NIP-60) lie on relays like that. So may a private
  // list (NIP-51); from outside nobody can tell.
  private static func withoutKind(
    _ request: RequestFacts, _ grant: Grant, _ named: GrantRule?, _ allowance: GrantRule?
  ) -> Decision {
    if request.isSelfDecryption {
      return named?.isPassing(.day) ?? false ? Decision(.allow, by: .ownerAllowed) : Decision(.ask, by: .selfDecryption)
    }
    return named != nil ? Decision(.allow, by: .ownerAllowed) : byTrust(request, grant, asking: nil, allowance)
  }

  // MARK: logins

  private static func login(
    _ kind: Int, _ request: RequestFacts, _ grant: Grant, _ allowance: GrantRule?, _ now: Int64
  ) -> Decision {
    switch kind {
    case GuardedKinds.relayLogin: return relayLogin(request, grant, allowance)
    case GuardedKinds.fileLogin: return fileLogin(request, grant, allowance, now)
    default:
      return isGranted(request, allowance, .week, now) ? Decision(.allow, by: .ownerAllowed) : Decision(.ask, by: .webLogin)
    }
  }

  private static func isGranted(
    _ request: RequestFacts, _ allowance: GrantRule?, _ longest: Remembered, _ now: Int64
  ) -> Bool {
    guard let allowance, allowance.permission.scope != nil, allowance.isPassing(longest) else { return false }
    return isDatedWithin(allowance.expiresAt, request, now)
  }

  // A login dated ahead is one to be used later: an allowance of an hour would be good for logins of next year.
  private static func isDatedWithin(_ end: Int64?, _ request: RequestFacts, _ now: Int64) -> Bool {
    guard let end else { return false }
    guard let datedAt = request.datedAt, datedAt > now else { return true }
    return !SigningTime.isAhead(datedAt, of: now, by: SigningTime.toleratedLoginLead) && datedAt < end
  }

  private static func fileLogin(
    _ request: RequestFacts, _ grant: Grant, _ allowance: GrantRule?, _ now: Int64
  ) -> Decision {
    guard let file = request.file else { return Decision(.ask, by: .fileLogin) }
    if file.lastsLong(at: now) { return Decision(.ask, by: .longLogin) }
    if SigningTime.isAhead(request.datedAt, of: now, by: SigningTime.toleratedLoginLead) {
      return Decision(.ask, by: .datedAhead)
    }
    if isGranted(request, allowance, file.deletes ? .day : .week, now) { return Decision(.allow, by: .ownerAllowed) }
    if file.deletes { return Decision(.ask, by: .fileDeletion) }
    switch grant.trust {
    case .full: return Decision(.allow, by: .fullTrust)
    case .medium where file.isBound: return Decision(.allow, by: .mediumTrust)
    case .medium: return Decision(.ask, by: .fileLogin)
    case .low: return Decision(.ask, by: .lowTrust)
    }
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

  // A broad "sign_event" does not reach what is asked under medium trust: such kinds are allowed one by one.
  private static func byTrust(
    _ request: RequestFacts, _ grant: Grant, asking rule: Rule?, _ allowance: GrantRule?
  ) -> Decision {
    if grant.trust == .full { return Decision(.allow, by: .fullTrust) }
    if allowance != nil, rule == nil { return Decision(.allow, by: .ownerAllowed) }
    if grant.trust == .low { return Decision(.ask, by: .lowTrust) }
    if let rule { return Decision(.ask, by: rule) }
    return Decision(.allow, by: request.isSelf ? .selfEncryption : .mediumTrust)
  }

  // Whatever else is allowed, a list that would lose many is shown first. Where none is known to compare with, an app of full trust
  // may go on: it was told to be asked about nothing of that sort.
  private static func followRule(_ change: FollowChange, _ grant: Grant, _ settings: PolicySettings) -> Rule? {
    if case .unknown = change { return grant.trust == .full ? nil : .followListUnknown }
    return change.drops(more: settings.followShare) ? .followListDrops : nil
  }
}
