internal import Curve
internal import JSON
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import RemoteSigning
internal import Signer

/// What one app may do, as the owner changes it.
extension Operations {
  /// `client/allow`, `client/deny` and `client/ask`: a permission, the answer, and `for` how long.
  func changePermission(_ given: Parameters, _ verdict: Decision.Verdict) throws -> JSONValue {
    let pairing = try client(given)
    let permission = try permission(given, identity: pairing.identity.hex)
    let remembered = try Self.remembered(given, "for") ?? .always
    guard remembered != .once else {
      throw OperationError.usage(
        "A permission is for 5m, 1h, 1d, 1w or always.", hint: "To answer once: holdfast request approve ID")
    }
    return try setRule(verdict, permission, of: pairing, for: remembered)
  }

  /// Adds a rule to what an app may do.
  func setRule(
    _ verdict: Decision.Verdict, _ permission: Permission, of pairing: Pairing, for remembered: Remembered
  ) throws -> JSONValue {
    try change(pairing, as: Self.words(verdict, permission, remembered)) { pairing in
      do throws(GrantError) {
        try pairing.grant.set(verdict, permission, for: remembered, of: pairing.identity, at: Clock.seconds)
      } catch { throw OperationError(error) }
    }
  }

  /// Takes back what was said about a permission: trust, or a broader permission, holds again.
  func forgetPermission(_ given: Parameters) throws -> JSONValue {
    let pairing = try client(given)
    let permission = try permission(given, identity: pairing.identity.hex)
    return try change(pairing, as: "no rule for \(permission)") { pairing in
      guard pairing.grant.forget(permission) else {
        throw OperationError.notFound("Nothing was said about \(permission) for this app.", hint: "See: holdfast client show")
      }
    }
  }

  /// `client/limit`: a number each that is given replaces the one before; null or 0 as text `none` takes it away.
  func limitClient(_ given: Parameters) throws -> JSONValue {
    let (minute, hour, day) = (
      try Self.limit(given, "per_minute"), try Self.limit(given, "per_hour"), try Self.limit(given, "per_day")
    )
    return try change(try client(given), as: "limits") { pairing in
      if let minute { pairing.grant.limits.perMinute = minute }
      if let hour { pairing.grant.limits.perHour = hour }
      if let day { pairing.grant.limits.perDay = day }
    }
  }

  /// `client/budget`: so many of a permission in a period; `count` null takes it away.
  func budgetClient(_ given: Parameters) throws -> JSONValue {
    let pairing = try client(given)
    let permission = try permission(given, identity: pairing.identity.hex)
    guard let period = Budget.Period(rawValue: try given.text("period")) else {
      throw OperationError.usage("A period is 1h, 1d or 1w.")
    }
    guard let count = try Self.limit(given, "count") else { throw OperationError.usage("“count” is missing.") }
    return try change(pairing, as: "budget for \(permission)") { pairing in
      do throws(GrantError) { try pairing.grant.setBudget(permission, period, count: count) } catch {
        throw OperationError(error)
      }
    }
  }

  /// `client/suspend` and `client/resume`: every use of the key is asked meanwhile.
  func suspendClient(_ given: Parameters, _ isSuspended: Bool) throws -> JSONValue {
    try change(try client(given), as: isSuspended ? "suspended" : "resumed") { pairing in
      pairing.grant.isSuspended = isSuspended
    }
  }

  /// A rule as the log names its making: `allow for 1h: sign_event:1`.
  private static func words(_ verdict: Decision.Verdict, _ permission: Permission, _ remembered: Remembered) -> String {
    "\(verdict.rawValue) \(remembered == .always ? "always" : "for \(remembered.rawValue)"): \(permission)"
  }

  // MARK: reading

  /// A permission as the owner writes it; `@self` stands for the identity.
  func permission(_ given: Parameters, identity: String) throws -> Permission {
    try Self.permission(try given.text("permission"), identity: identity)
  }

  static func permission(_ text: String, identity: String) throws -> Permission {
    let text = text.hasSuffix("@self") ? text.dropLast(4) + identity : text
    guard let permission = Permission(parsing: text) else { throw OperationError(PermissionError(in: String(text))) }
    return permission
  }

  static func remembered(_ given: Parameters, _ name: String) throws -> Remembered? {
    guard let text = try given.optionalText(name) else { return nil }
    guard let remembered = Remembered(rawValue: text) else {
      throw OperationError.usage("How long is said as once, 5m, 1h, 1d, 1w or always.")
    }
    return remembered
  }

  /// Nil when nothing is said, nil inside when no limit is wanted: `null` or the text `none`.
  static func limit(_ given: Parameters, _ name: String) throws -> Int?? {
    guard let found = given[name] else { return nil }
    if found.isNull || found.string == "none" { return .some(nil) }
    guard let count = try given.optionalInteger(name), count <= mostCounted else {
      throw OperationError.usage("“\(name)” is a number up to \(mostCounted), or “none”.")
    }
    return .some(Int(count))
  }

  private static let mostCounted: Int64 = 1_000_000_000

  // MARK: describing

  func grantMembers(_ pairing: Pairing) -> [JSONValue.Member] {
    let (grant, now) = (pairing.grant, Clock.seconds)
    let usage = core.engine.usage(of: pairing.remoteSigner)
    func count(_ limit: Int?) -> JSONValue { limit.map { .integer(Int64($0)) } ?? .null }
    return [
      .init("rules", .array(grant.rules.filter { $0.isInForce(at: now) }.map(describe))),
      .init(
        "limits",
        [
          "per_minute": count(grant.limits.perMinute), "per_hour": count(grant.limits.perHour),
          "per_day": count(grant.limits.perDay),
        ]),
      .init(
        "budgets",
        .array(
          grant.budgets.map { budget in
            [
              "permission": .string(budget.permission.description), "count": .integer(Int64(budget.count)),
              "period": .string(budget.period.rawValue),
              "used": .integer(Int64(usage.used(.budget(budget.permission, budget.period), at: now))),
            ]
          })),
      .init("requested", .array(pairing.requested.map { wish($0, pairing, now) })),
    ]
  }

  private func describe(_ rule: GrantRule) -> JSONValue {
    [
      "permission": .string(rule.permission.description), "verdict": .string(rule.verdict.rawValue),
      "made": .integer(rule.madeAt), "expires": rule.expiresAt.map { .integer($0) } ?? .null,
    ]
  }

  // What the app asked for when it paired, against what it would be told now.
  private func wish(_ permission: Permission, _ pairing: Pairing, _ now: Int64) -> JSONValue {
    let facts = RequestFacts(method: permission.method, kind: permission.kind)
    let decision = core.engine.decision(for: facts, at: pairing.remoteSigner, under: pairing.grant, now: now)
    return [
      "permission": .string(permission.description), "verdict": .string(decision.verdict.rawValue),
      "rule": .string(decision.rule.name), "reason": .string(decision.rule.reason),
    ]
  }
}

extension OperationError {
  /// - Parameter fault: nil where none is known.
  init(_ fault: PermissionError?) {
    let usual = "For example: sign_event:1, nip44_decrypt, sign_event:22242@wss://relay.example.com"
    switch fault {
    case .notAPerson?:
      self.init(
        .usage, "What stands behind “@” is no person: an npub, an nprofile, 64 hex digits, or self.",
        hint: "For example: nip44_decrypt@npub1… (copy the whole key), or nip44_decrypt@self")
    case .notAKind?:
      self.init(.usage, "A kind is a number from 0 to 65535.", hint: "For example: sign_event:1")
    case .kindWithoutSigning?:
      self.init(.usage, "Only sign_event has a kind.", hint: usual)
    case .notAPlace?:
      self.init(
        .usage, "What stands behind “@” is nothing this permission can be limited to.",
        hint:
          "A person for encryption (nip44_decrypt@npub1…), a relay or an address for logins (sign_event:22242@wss://relay.example.com)"
      )
    case .unknownMethod?, nil: self.init(.usage, "A permission is a method, or sign_event:KIND.", hint: usual)
    }
  }

  init(_ error: GrantError) {
    switch error {
    case .neverAlways(let permission, .once):
      self.init(
        .denied, "\(Self.what(permission)); it is asked each time.", hint: "To answer once: holdfast request approve ID")
    case .neverAlways(let permission, let longest):
      self.init(
        .denied, "\(Self.what(permission)); it cannot be allowed for good.",
        hint: "For a time it can, \(longest.rawValue) at most: --for \(longest.rawValue)")
    case .needsScope(let kind):
      let example =
        switch kind {
        case GuardedKinds.webLogin: "sign_event:27235@GET https://host/path"
        case GuardedKinds.fileLogin: "sign_event:24242@upload"
        default: "sign_event:22242@wss://relay"
        }
      self.init(.denied, "A login is allowed for one place, not for all.", hint: "Name it, in quotes: '\(example)'")
    case .alwaysAllowed(let method):
      self.init(
        .denied, "Every paired app may use \(method.rawValue).", hint: "To shut an app out: holdfast client revoke")
    case .tooManyExceptions(let limit): self.init(.failed, "This app has \(limit) rules already.")
    case .tooManyBudgets(let limit): self.init(.failed, "This app has \(limit) budgets already.")
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
