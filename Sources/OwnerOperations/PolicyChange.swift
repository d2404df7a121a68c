import Curve
import OwnerAPI
import RemoteSigning

/// One change to the rules, as `policy explain` tries it: `trust=low`, `deny=sign_event:1`, `per_hour=10` and so on.
struct PolicyChange {
  /// The most changes tried together.
  static let maximumCount = 32
  private static let forms =
    "trust=low, allow=PERMISSION, deny=…, ask=…, forget=…, per_minute=N, per_hour=N, per_day=N, budget=PERMISSION:N/1d, suspended=true, follow_share=N"

  private let name: Substring
  private let value: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { throw Self.malformed(text) }
    (name, value) = (parts[0], String(parts[1]))
  }

  func apply(
    to grant: inout Grant, _ settings: inout PolicySettings, identity: String, now: Int64
  ) throws {
    switch name {
    case "trust":
      guard let trust = TrustLevel(rawValue: value) else { throw OperationError.usage("Trust must be full, medium or low.") }
      grant.trust = trust
    case "allow", "deny", "ask":
      try say(name == "allow" ? .allow : name == "deny" ? .deny : .ask, &grant, identity, now)
    case "forget": _ = grant.forget(try Operations.permission(value, identity: identity))
    case "per_minute": grant.limits.perMinute = try limit(value)
    case "per_hour": grant.limits.perHour = try limit(value)
    case "per_day": grant.limits.perDay = try limit(value)
    case "budget": try budget(&grant, identity)
    case "suspended": grant.isSuspended = value == "true"
    case "follow_share": settings = PolicySettings(defaultTrust: settings.defaultTrust, followShare: try limit(value) ?? 100)
    default: throw Self.malformed(String(name))
    }
  }

  // The rule lasts as long as a rule can last.
  private func say(
    _ verdict: Decision.Verdict, _ grant: inout Grant, _ identity: String, _ now: Int64
  ) throws {
    let permission = try Operations.permission(value, identity: identity)
    do throws(GrantError) {
      let key = PublicKey(hex: identity)
      let longest = verdict == .allow ? permission.longestAllowance(of: key) : .always
      if longest == .once { throw GrantError.neverAlways(permission, longest: .once) }
      try grant.set(verdict, permission, for: longest, of: key, at: now)
    } catch { throw OperationError(error) }
  }

  private func budget(_ grant: inout Grant, _ identity: String) throws {
    let halves = value.split(separator: "/")
    guard halves.count == 2, let period = Budget.Period(rawValue: String(halves[1])),
      let colon = halves[0].lastIndex(of: ":")
    else { throw Self.malformed(value) }
    let permission = try Operations.permission(String(halves[0][..<colon]), identity: identity)
    let count = try limit(String(halves[0][halves[0].index(after: colon)...]))
    do throws(GrantError) { try grant.setBudget(permission, period, count: count) } catch { throw OperationError(error) }
  }

  private func limit(_ text: String) throws -> Int? {
    if text == "none" { return nil }
    guard let number = Int(text), (0...1_000_000_000).contains(number) else { throw Self.malformed(text) }
    return number
  }

  private static func malformed(_ text: String) -> OperationError {
    .usage("\(ShownText.quoted(text, limit: 80)) is not a change of the rules.", hint: "A change is one of: \(forms)")
  }
}
