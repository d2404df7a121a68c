import Curve
import Nostr
import OwnerAPI
import OwnerWords
import Platform
package import RemoteSigning
import Signer

/// The owner's changes to what one app may do: the rest of `client/*`.
extension Operations {
  static let permissionHandlers: [OperationHandler] = [
    .init(AppAllow.self) { operations, request, _ in try operations.changePermission(request, .allow) },
    .init(AppDeny.self) { operations, request, _ in try operations.changePermission(request, .deny) },
    .init(AppAsk.self) { operations, request, _ in try operations.changePermission(request, .ask) },
    .init(AppForget.self) { operations, request, _ in try operations.forgetPermission(request) },
    .init(AppLimit.self) { operations, request, _ in try operations.limitClient(request) },
    .init(AppBudgetSet.self) { operations, request, _ in try operations.budgetClient(request) },
  ]

  private func changePermission(_ request: PermissionRequest, _ verdict: Decision.Verdict) throws -> AppDetail {
    let pairing = verdict == .allow ? try wholeNamed(request.app, toAllow: true) : try client(request.app)
    let permissions = try Self.permissions(request.named, identity: pairing.identity.hex)
    let remembered = request.duration.map { Remembered($0) } ?? .always
    guard remembered != .once else {
      throw OperationError.usage(
        "A permission lasts for a time such as 30m, or always.", hint: "To answer once: holdfast request approve ID")
    }
    return try setRules(verdict, permissions, of: pairing, named: request.app, for: remembered)
  }

  /// Adds a rule for an app.
  func setRule(
    _ verdict: Decision.Verdict, _ permission: Permission, of pairing: Pairing, for remembered: Remembered
  ) throws -> AppDetail {
    try setRules(verdict, [permission], of: pairing, named: nil, for: remembered)
  }

  /// Adds all of the rules, or none.
  private func setRules(
    _ verdict: Decision.Verdict, _ permissions: [Permission], of pairing: Pairing, named request: AppRequest?,
    for remembered: Remembered
  ) throws -> AppDetail {
    try change(
      pairing, named: request, asEach: { app in permissions.map { Self.words(verdict, $0, of: app.identity, remembered) } }
    ) { pairing in
      do throws(GrantError) {
        for permission in permissions {
          try pairing.grant.set(verdict, permission, for: remembered, of: pairing.identity, at: Clock.seconds)
        }
      } catch { throw OperationError(error) }
    }
  }

  /// Removes the rules for permissions, all or none. Then trust, or a broader permission, applies again.
  private func forgetPermission(_ request: AppForget.Request) throws -> AppDetail {
    let pairing = try client(request.app)
    let permissions = try Self.permissions(request.named, identity: pairing.identity.hex)
    let words = permissions.map { $0.logText(of: pairing.identity) }.map { permission in "no rule for \(permission)" }
    return try change(pairing, named: request.app, asEach: { _ in words }) { pairing in
      for permission in permissions {
        guard pairing.grant.forget(permission) else {
          let permission = permission.text(of: pairing.identity)
          throw OperationError.notFound("This app has no rule for \(permission).", hint: "See: holdfast client show")
        }
      }
    }
  }

  /// Each limit that is given replaces the earlier one.
  private func limitClient(_ request: AppLimit.Request) throws -> AppDetail {
    let (minute, hour, day) = (
      try Self.limit(request.perMinute), try Self.limit(request.perHour), try Self.limit(request.perDay)
    )
    return try change(try client(request.app), named: request.app, as: { Self.words($0.grant.limits) }) { pairing in
      if let minute { pairing.grant.limits.perMinute = minute }
      if let hour { pairing.grant.limits.perHour = hour }
      if let day { pairing.grant.limits.perDay = day }
    }
  }

  private func budgetClient(_ request: AppBudgetSet.Request) throws -> AppDetail {
    let pairing = try client(request.app)
    let permission = try Self.permission(request.permission, identity: pairing.identity.hex)
    guard let count = try Self.limit(request.count) else { throw OperationError.usage("“count” is missing.") }
    let period = Budget.Period(request.period)
    return try change(pairing, named: request.app, as: Self.words(permission, count, period)) { pairing in
      do throws(GrantError) {
        try pairing.grant.setBudget(permission, period, count: count)
      } catch { throw OperationError(error) }
    }
  }

  /// The words for a new rule in the log: `allow for 1h: sign_event:1`.
  private static func words(
    _ verdict: Decision.Verdict, _ permission: Permission, of identity: PublicKey, _ remembered: Remembered
  ) -> String {
    let permission = permission.logText(of: identity)
    return "\(verdict.rawValue) \(remembered == .always ? "always" : "for \(remembered.text)"): \(permission)"
  }

  /// The words for all limits that an app has now. Each is a whole sentence, so that it can be translated.
  private static func words(_ limits: RequestLimits) -> String {
    switch (limits.perMinute, limits.perHour, limits.perDay) {
    case (nil, nil, nil): "no limits"
    case (let minute?, nil, nil): "limit: \(minute) a minute"
    case (nil, let hour?, nil): "limit: \(hour) an hour"
    case (nil, nil, let day?): "limit: \(day) a day"
    case (let minute?, let hour?, nil): "limits: \(minute) a minute, \(hour) an hour"
    case (let minute?, nil, let day?): "limits: \(minute) a minute, \(day) a day"
    case (nil, let hour?, let day?): "limits: \(hour) an hour, \(day) a day"
    case (let minute?, let hour?, let day?): "limits: \(minute) a minute, \(hour) an hour, \(day) a day"
    }
  }

  /// The words for a new budget, or the end of one: `budget for sign_event:1: 10 in 1d`.
  private static func words(_ permission: Permission, _ count: Int?, _ period: Budget.Period) -> String {
    guard let count else { return "no budget for \(permission) in \(period.rawValue)" }
    return "budget for \(permission): \(count) in \(period.rawValue)"
  }

  // MARK: reading

  /// A permission as the owner writes it. `@self` stands for the identity.
  static func permission(_ text: String, identity: String) throws -> Permission {
    let text = text.hasSuffix("@self") ? text.dropLast(4) + identity : text
    guard let permission = Permission(parsing: text) else {
      throw OperationError(PermissionError(in: String(text)) ?? .unknownMethod)
    }
    return permission
  }

  /// The named permissions, each once.
  private static func permissions(_ named: NamedPermissions, identity: String) throws -> [Permission] {
    guard !named.all.isEmpty else { throw OperationError(.missing("permission")) }
    guard named.all.count <= mostPermissions else {
      throw OperationError.usage("At most \(mostPermissions) permissions can be changed at once.")
    }
    return try named.all.reduce(into: []) { all, text in
      let permission = try permission(text, identity: identity)
      if !all.contains(permission) { all.append(permission) }
    }
  }

  private static let mostPermissions = 50

  /// The outer nil means no change; the inner nil means no limit.
  private static func limit(_ change: Change<Int64>) throws -> Int?? {
    guard case .to(let wanted) = change else { return nil }
    guard let count = wanted else { return .some(nil) }
    guard (0...mostCounted).contains(count) else {
      throw OperationError.usage("A limit is a whole number from 0 to \(mostCounted), or none.")
    }
    return .some(Int(count))
  }

  private static let mostCounted: Int64 = 1_000_000_000

  // MARK: describing

  func grant(of pairing: Pairing) -> AppGrant {
    let (grant, now) = (pairing.grant, Clock.seconds)
    let usage = home.engine.usage(of: pairing.remoteSigner)
    var described = AppGrant()
    described.rules = grant.rules.filter { $0.isInForce(at: now) }.map { AppRule($0, of: pairing.identity) }
    described.limits = AppLimits(grant.limits)
    described.budgets = grant.budgets.map { budget in
      AppBudget(budget, used: usage.used(.budget(budget.permission, budget.period), at: now))
    }
    described.requested = pairing.requested.map { wish($0, pairing, now) }
    return described
  }

  // What the app asked for when it paired, and how that would be answered now.
  private func wish(_ permission: Permission, _ pairing: Pairing, _ now: Int64) -> RequestedPermission {
    let facts = RequestFacts(method: permission.method, kind: permission.kind)
    var wish = RequestedPermission()
    wish.permission = permission.description
    wish.decision = RuledVerdict(
      home.engine.decision(for: facts, at: pairing.remoteSigner, under: pairing.grant, now: now))
    return wish
  }
}

extension AppRule {
  fileprivate init(_ rule: GrantRule, of identity: PublicKey) {
    self.init()
    text = rule.permission.text(of: identity)
    (permission, verdict) = (rule.permission.description, Verdict(rule.verdict))
    (made, expires) = (rule.madeAt, rule.expiresAt)
  }
}

extension AppLimits {
  fileprivate init(_ limits: RequestLimits) {
    self.init()
    (perMinute, perHour, perDay) = (
      limits.perMinute.map { Int64($0) }, limits.perHour.map { Int64($0) }, limits.perDay.map { Int64($0) }
    )
  }
}

extension AppBudget {
  fileprivate init(_ budget: Budget, used: Int) {
    self.init()
    (permission, count) = (budget.permission.description, Int64(budget.count))
    (period, self.used) = (BudgetPeriod(budget.period), Int64(used))
  }
}

extension OperationError {
  /// A fault in a permission that the owner wrote.
  package init(_ fault: PermissionError) {
    let usual = "For example: sign_event:1, nip44_decrypt, sign_event:22242@wss://relay.example.com"
    switch fault {
    case .notAPerson:
      self.init(
        .usage, "The part after “@” is not a person: give an npub, an nprofile, 64 hex digits, or self.",
        hint: "For example: nip44_decrypt@npub1… (copy the whole key), or nip44_decrypt@self")
    case .notAKind:
      self.init(.usage, "A kind must be a number from 0 to 65535.", hint: "For example: sign_event:1")
    case .kindWithoutSigning:
      self.init(.usage, "Only sign_event has a kind.", hint: usual)
    case .notAPlace:
      self.init(
        .usage, "The part after “@” does not fit this permission.",
        hint:
          "Give a person for encryption (nip44_decrypt@npub1…), or a relay or address for logins (sign_event:22242@wss://relay.example.com)."
      )
    case .unknownMethod: self.init(.usage, "A permission is a method, or sign_event:KIND.", hint: usual)
    }
  }

  /// Why a grant cannot be changed as the owner asked.
  package init(_ error: GrantError) {
    switch error {
    case .neverAlways(let permission, .once):
      self.init(
        .denied, "\(Self.what(permission)), so it always asks you.", hint: "To answer once: holdfast request approve ID")
    case .neverAlways(let permission, let longest):
      self.init(
        .denied, "\(Self.what(permission)), so it can be allowed for \(longest.text) at most.",
        hint: "Allow it for at most \(longest.text): --for \(longest.text)")
    case .needsScope(let kind):
      let example =
        switch kind {
        case GuardedKinds.webLogin: "sign_event:27235@GET https://host/path"
        case GuardedKinds.fileLogin: "sign_event:24242@upload"
        default: "sign_event:22242@wss://relay"
        }
      self.init(
        .denied, "A login can be allowed for one place only, not for all.", hint: "Name the place, in quotes: '\(example)'")
    case .alwaysAllowed(let method):
      self.init(
        .denied, "Every paired app may use \(method.rawValue).", hint: "To end the pairing: holdfast client revoke")
    case .tooManyExceptions(let limit): self.init(.failed, "This app already has \(limit) rules, the most that are allowed.")
    case .tooManyBudgets(let limit): self.init(.failed, "This app already has \(limit) budgets, the most that are allowed.")
    case .budgetHasScope: self.init(.usage, "A budget is for a method or a kind, without “@”.")
    }
  }

  private static func what(_ permission: Permission) -> String {
    guard let kind = permission.kind else { return "What you encrypted to yourself may be money" }
    return switch KindTable.effect(of: kind) {
    case .money: "Kind \(kind) spends money"
    case .login where kind == GuardedKinds.webLogin: "Kind \(kind) logs in to websites"
    case .login: "Kind \(kind) logs in to file servers"
    case .destruction: "Kind \(kind) deletes what you published"
    default: "Kind \(kind) speaks for your key"
    }
  }
}
