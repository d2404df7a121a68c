import JSON

/// Grants as part of a pairing's record.
extension Grant {
  var members: [JSONValue.Member] {
    [
      .init("trust", .string(trust.rawValue)), .init("rules", .array(rules.map(\.value))),
      .init("limits", .array([limits.perMinute, limits.perHour, limits.perDay].map(JSONValue.count))),
      .init("budgets", .array(budgets.map(\.value))), .init("suspended", .bool(isSuspended)),
    ] + (isFirstUse ? [.init("first_use", .bool(true))] : []) + (isRevoked ? [.init("revoked", .bool(true))] : [])
  }

  /// Reads what `members` wrote, and the lists `allowed` and `denied` that stood there before rules had an end.
  init(_ fields: RecordFields) throws(RecordError) {
    let listed = try fields.optionalList("rules")
    let rules = if let listed { listed.compactMap { GrantRule($0) } } else { try Self.olderRules(fields) }
    let limits = fields.counts("limits")
    self.init(
      trust: try fields.trust("trust"), rules: rules,
      limits: RequestLimits(
        perMinute: limits.first ?? nil, perHour: limits.dropFirst().first ?? nil, perDay: limits.dropFirst(2).first ?? nil),
      budgets: (try fields.optionalList("budgets") ?? []).compactMap { Budget($0) },
      isSuspended: fields.flag("suspended"))
    if fields.flag("first_use") { setFirstUse(isRevoked: fields.flag("revoked")) }
  }

  private static func olderRules(_ fields: RecordFields) throws(RecordError) -> [GrantRule] {
    let (allowed, denied) = (try fields.permissions("allowed"), try fields.permissions("denied"))
    return allowed.map { GrantRule($0, .allow) } + denied.map { GrantRule($0, .deny) }
  }
}

extension GrantRule {
  fileprivate var value: JSONValue {
    .object([
      .init("permission", .string(permission.description)), .init("verdict", .string(verdict.rawValue)),
      .init("made", .integer(madeAt)), .init("expires", expiresAt.map { .integer($0) } ?? .null),
    ])
  }

  // A newer version's rule that this one cannot read: a rule that allows is left out, any other is kept.
  fileprivate init?(_ fields: RecordFields) {
    guard let permission = (try? fields.text("permission")).flatMap({ Permission(parsing: $0) }) else { return nil }
    let verdict = (try? fields.text("verdict")).flatMap { Decision.Verdict(rawValue: $0) } ?? .deny
    self.init(
      permission, verdict, madeAt: (try? fields.integer("made")) ?? 0, expiresAt: fields.optionalInteger("expires"))
  }
}

extension Budget {
  fileprivate var value: JSONValue {
    .object([
      .init("permission", .string(permission.description)), .init("count", .integer(Int64(count))),
      .init("period", .string(period.rawValue)),
    ])
  }

  fileprivate init?(_ fields: RecordFields) {
    guard let permission = (try? fields.text("permission")).flatMap({ Permission(parsing: $0) }),
      let count = try? fields.integer("count"), let name = try? fields.text("period"), let period = Period(rawValue: name)
    else { return nil }
    self.init(permission, count: Int(clamping: count), period: period)
  }
}

extension Usage {
  /// The record the vault keeps, JSON in UTF-8.
  /// - Parameter time: milliseconds since 1970 up to which everything is counted in it.
  public func record(countedUpTo time: Int64) -> [UInt8] {
    let windows = windows.sorted { $0.key.name < $1.key.name }.map { counter, window in
      JSONValue.object([
        .init("counter", .string(counter.name)), .init("started", .integer(window.startedAt)),
        .init("count", .integer(Int64(window.count))),
      ])
    }
    return JSONValue.object([.init("counted_to", .integer(time)), .init("windows", .array(windows))]).serialized()
  }

  /// Reads what `record` wrote.
  public static func read(_ record: [UInt8]) throws(RecordError) -> (usage: Usage, countedUpTo: Int64) {
    let fields = try RecordFields(record)
    var usage = Usage()
    for entry in try fields.list("windows") {
      guard let counter = Counter(name: try entry.text("counter")) else { continue }
      usage.windows[counter] = Window(
        startedAt: try entry.integer("started"), count: Int(clamping: max(0, try entry.integer("count"))))
    }
    return (usage, try fields.integer("counted_to"))
  }
}

extension Usage.Counter {
  fileprivate var name: String {
    switch self {
    case .minute: "minute"
    case .hour: "hour"
    case .day: "day"
    case .budget(let permission, let period): "\(period.rawValue) \(permission)"
    }
  }

  fileprivate init?(name: String) {
    switch name {
    case "minute": self = .minute
    case "hour": self = .hour
    case "day": self = .day
    default:
      let parts = name.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let period = Budget.Period(rawValue: String(parts[0])),
        let permission = Permission(parsing: parts[1])
      else { return nil }
      self = .budget(permission, period)
    }
  }
}

extension PolicySettings {
  /// The record the vault keeps, JSON in UTF-8.
  public var record: [UInt8] {
    JSONValue.object([
      .init("default_trust", .string(defaultTrust.rawValue)), .init("follow_share", .integer(Int64(followShare))),
    ]).serialized()
  }

  /// Reads what `record` wrote.
  public init(record: [UInt8]) throws(RecordError) {
    let fields = try RecordFields(record)
    self.init(
      defaultTrust: try fields.trust("default_trust"), followShare: Int(clamping: try fields.integer("follow_share")))
  }
}

extension JSONValue {
  fileprivate static func count(_ count: Int?) -> JSONValue { count.map { .integer(Int64($0)) } ?? .null }
}
