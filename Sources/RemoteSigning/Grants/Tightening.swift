// While the signer is locked, the owner may be away. A change that somebody makes then may only take from apps what they have.

extension Grant {
  /// Whether some request that `other` denies or asks about could be allowed, or need not be denied, under this grant. In doubt it is.
  /// - Note: Names and times of use are no part of a grant.
  package func isLooser(than other: Grant) -> Bool {
    trust.freedom > other.trust.freedom || allowsMore(than: other) || !restrictsAsMuch(as: other)
      || limits.areHigher(than: other.limits) || !other.budgets.allSatisfy(keepsBudget) || other.isSuspended && !isSuspended
      || other.isFirstUse && !isFirstUse
  }

  private func allowsMore(than other: Grant) -> Bool {
    rules.contains { $0.verdict == .allow && !other.rules.contains($0) }
  }

  /// Whether each rule that asks or denies is still there, or a stricter one, and no new question stands before a denial.
  private func restrictsAsMuch(as other: Grant) -> Bool {
    other.rules.allSatisfy { old in
      old.verdict == .allow || rules.contains { $0.isAtLeast(old) }
    } && rules.allSatisfy { new in new.verdict != .ask || other.rules.contains(new) || !other.deniesSome(of: new.permission) }
  }

  private func deniesSome(of asked: Permission) -> Bool {
    rules.contains { rule in
      let denied = rule.permission
      return rule.verdict == .deny && denied.method == asked.method
        && (denied.kind == nil || asked.kind == nil || denied.kind == asked.kind)
    }
  }

  private func keepsBudget(_ budget: Budget) -> Bool {
    budgets.contains { $0.permission == budget.permission && $0.period == budget.period && $0.count <= budget.count }
  }
}

extension GrantRule {
  /// Whether this rule is about the same permission, as cautious, and lasts as long.
  fileprivate func isAtLeast(_ other: GrantRule) -> Bool {
    permission == other.permission && verdict.caution >= other.verdict.caution && end >= other.end
  }
}

extension RequestLimits {
  fileprivate func areHigher(than other: RequestLimits) -> Bool {
    func isHigher(_ limit: Int?, than other: Int?) -> Bool { limit ?? .max > other ?? .max }
    return isHigher(perMinute, than: other.perMinute) || isHigher(perHour, than: other.perHour)
      || isHigher(perDay, than: other.perDay)
  }
}

extension PolicySettings {
  /// Whether new apps would get more trust, or more follows could be dropped without asking.
  package func isLooser(than other: PolicySettings) -> Bool {
    defaultTrust.freedom > other.defaultTrust.freedom || followShare > other.followShare
  }
}

extension TrustLevel {
  /// Low before medium before full.
  fileprivate var freedom: Int {
    switch self {
    case .low: 0
    case .medium: 1
    case .full: 2
    }
  }
}
