public import Curve

/// What one app may do with one identity: a trust level, the owner's rules about single permissions, limits and budgets.
public struct Grant: Hashable, Sendable {
  /// The most rules one grant may have.
  public static let maximumExceptions = 512
  /// The most budgets one grant may have.
  public static let maximumBudgets = 32

  /// What holds if no rule applies.
  public var trust: TrustLevel
  /// The owner's rules, in the order of the permissions. The more specific rule holds. Of two rules about one permission, the one
  /// that ends first holds: a denial for an hour covers a lasting allowance and leaves it unchanged.
  public private(set) var rules: [GrantRule]
  /// How much the app may do without being asked about it.
  public var limits: RequestLimits
  /// How much of one thing it may do, one for each permission and period.
  public private(set) var budgets: [Budget]
  /// Whether every use of the key is asked for now.
  public var isSuspended: Bool
  /// Whether the owner has not let it in yet: all that it asks waits for him, the public key included.
  public var isFirstUse = false { didSet { isRevoked = isRevoked && isFirstUse } }
  /// Whether that is so because the owner took back what it might do. Then it is never forgotten to make room for others.
  public private(set) var isRevoked = false

  /// A grant with rules, none as a rule. Of rules about one permission, those hold that `set` would have kept.
  public init(
    trust: TrustLevel, rules: [GrantRule] = [], limits: RequestLimits = RequestLimits(), budgets: [Budget] = [],
    isSuspended: Bool = false
  ) {
    (self.trust, self.limits, self.isSuspended) = (trust, limits, isSuspended)
    self.rules = rules.prefix(Self.maximumExceptions).sorted(by: Self.order)
    self.budgets = Array(budgets.prefix(Self.maximumBudgets))
  }

  /// A grant with lasting rules.
  public init(trust: TrustLevel, allowed: Set<Permission>, denied: Set<Permission> = []) {
    self.init(trust: trust, rules: allowed.map { GrantRule($0, .allow) } + denied.map { GrantRule($0, .deny) })
  }

  /// What a caller may do that was not let in yet: ask.
  public static let ofUnmet = firstUse(isRevoked: false)
  /// The same for one that the owner revoked.
  public static let ofRevoked = firstUse(isRevoked: true)

  private static func firstUse(isRevoked: Bool) -> Grant {
    var grant = Grant(trust: .low)
    grant.setFirstUse(isRevoked: isRevoked)
    return grant
  }

  mutating func setFirstUse(isRevoked: Bool) {
    isFirstUse = true
    self.isRevoked = isRevoked
  }

  /// What is allowed by a rule, whether for good or for a time.
  public var allowed: Set<Permission> { Set(rules.filter { $0.verdict == .allow }.map(\.permission)) }
  /// What is denied by a rule, whether for good or for a time.
  public var denied: Set<Permission> { Set(rules.filter { $0.verdict == .deny }.map(\.permission)) }

  // MARK: the owner's changes

  /// Adds a rule in place of those about the same permission that it outlasts.
  /// - Parameters:
  ///   - remembered: `.once` changes nothing.
  ///   - identity: whose key the app may use; nil where that makes no difference.
  ///   - now: seconds since 1970.
  /// - Throws: for what cannot be said; the grant is as before then.
  public mutating func set(
    _ verdict: Decision.Verdict, _ permission: Permission, for remembered: Remembered = .always, of identity: PublicKey? = nil,
    at now: Int64
  ) throws(GrantError) {
    if remembered == .once { return }
    try check(verdict, permission, remembered, identity)
    let end = remembered.seconds.map { now.addingReportingOverflow($0) }
    let rule = GrantRule(
      permission, verdict, madeAt: now, expiresAt: end.map { $0.overflow ? .max - 1 : $0.partialValue })
    let others = rules.filter { $0.permission != permission || $0.end > rule.end }
    guard others.count < Self.maximumExceptions else { throw .tooManyExceptions(limit: Self.maximumExceptions) }
    rules = (others + [rule]).sorted(by: Self.order)
  }

  /// As `set(.allow, …)` for good.
  public mutating func allow(_ permission: Permission) throws(GrantError) { try set(.allow, permission, at: 0) }

  /// As `set(.deny, …)` for good.
  public mutating func deny(_ permission: Permission) throws(GrantError) { try set(.deny, permission, at: 0) }

  /// Removes the rules about a permission. Trust, or a broader rule, holds again.
  /// - Returns: whether there were any.
  public mutating func forget(_ permission: Permission) -> Bool {
    let count = rules.count
    rules.removeAll { $0.permission == permission }
    return rules.count < count
  }

  /// Removes rules that count as absent from now on.
  /// - Returns: whether there were any.
  public mutating func removeExpired(at now: Int64) -> Bool {
    let count = rules.count
    rules.removeAll { now >= $0.end }
    return rules.count < count
  }

  /// Sets or removes a budget.
  /// - Parameter count: nil for no budget of that permission and period.
  public mutating func setBudget(_ permission: Permission, _ period: Budget.Period, count: Int?) throws(GrantError) {
    guard permission.scope == nil else { throw .budgetHasScope }
    if permission.method.isAlwaysAllowed { throw .alwaysAllowed(permission.method) }
    let others = budgets.filter { $0.permission != permission || $0.period != period }
    guard let count else { return budgets = others }
    guard others.count < Self.maximumBudgets else { throw .tooManyBudgets(limit: Self.maximumBudgets) }
    budgets = others + [Budget(permission, count: count, period: period)]
  }

  private func check(
    _ verdict: Decision.Verdict, _ permission: Permission, _ remembered: Remembered, _ identity: PublicKey?
  ) throws(GrantError) {
    if verdict != .allow {
      if permission.method.isAlwaysAllowed { throw .alwaysAllowed(permission.method) }
      return
    }
    if permission.needsScope, let kind = permission.kind { throw .needsScope(kind) }
    let longest = permission.longestAllowance(of: identity)
    guard remembered.fits(within: longest) else { throw .neverAlways(permission, longest: longest) }
  }

  // MARK: what holds

  /// The rule that applies to a request at that time: the most specific one that is in force.
  func rule(for request: RequestFacts, at now: Int64) -> GrantRule? {
    var best: GrantRule?
    for rule in rules where rule.reaches(request) && rule.isInForce(at: now) {
      guard let other = best else {
        best = rule
        continue
      }
      let (weight, held) = (rule.permission.weight, other.permission.weight)
      if weight > held || weight == held && rule.isOver(other) { best = rule }
    }
    return best
  }

  /// How long an allowance of this permission is offered to be remembered, `once` first. Each time up to the last one is taken.
  /// - Parameter identity: whose key would be used.
  public static func offers(for permission: Permission, of identity: PublicKey?) -> [Remembered] {
    let longest = permission.longestAllowance(of: identity)
    return permission.needsScope ? [.once] : Remembered.choices.filter { $0.fits(within: longest) }
  }

  private static func order(_ left: GrantRule, _ right: GrantRule) -> Bool {
    let (a, b) = (left.permission.description, right.permission.description)
    return a == b ? left.isOver(right) : a < b
  }
}

/// Why a grant cannot be changed as asked.
public enum GrantError: Error, Equatable, Sendable {
  /// An allowance of this ends; the longest there is.
  case neverAlways(Permission, longest: Remembered)
  /// A login of this kind is allowed for one place only.
  case needsScope(Int)
  /// Every paired app may use this method; revoke the app instead.
  case alwaysAllowed(Method)
  case tooManyExceptions(limit: Int)
  case tooManyBudgets(limit: Int)
  /// Budgets are for a method or a kind.
  case budgetHasScope
}

extension Grant {
  /// The grant as of one time, without ends: expired rules are gone, the others stay. It is used to ask how it would have decided
  /// about requests of another day.
  public func frozen(at now: Int64) -> Grant {
    var held: [Permission: GrantRule] = [:]
    for rule in rules where rule.isInForce(at: now) {
      if let other = held[rule.permission], !rule.isOver(other) { continue }
      held[rule.permission] = rule
    }
    let lasting = held.values.map { GrantRule($0.permission, $0.verdict, expiresAt: $0.expiresAt == nil ? nil : .max - 1) }
    return Grant(trust: trust, rules: lasting, limits: limits, budgets: budgets, isSuspended: isSuspended)
  }
}
