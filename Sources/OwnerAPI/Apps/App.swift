// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How far an app is trusted.
public enum Trust: String, Word { case full, medium, low }

/// What the rules say to a request.
public enum Verdict: String, Word { case allow, ask, deny }

/// How long a permission, or an answer to a request, holds.
public enum Duration: String, Word {
  case once
  case fiveMinutes = "5m"
  case hour = "1h"
  case day = "1d"
  case week = "1w"
  case always
}

/// The time that a budget is for.
public enum BudgetPeriod: String, Word {
  case hour = "1h"
  case day = "1d"
  case week = "1w"
}

/// A decision with the rule that made it.
public struct RuledVerdict: Fields {
  public var verdict = Verdict.ask
  /// The rule's stable name.
  public var rule = ""
  /// The rule in a sentence.
  public var reason = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.anyText("rule", &rule, "The name of the rule that decides.")
    try fields.anyText("reason", &reason, "The rule in a sentence.")
  }
}

/// A paired app, in a list.
public struct AppSummary: Fields {
  /// The app's public key, 64 hex digits.
  public var pubkey = ""
  /// The public key that answers this app: 64 hex digits. An app that is paired with two identities has two.
  public var signer = ""
  public var name = ""
  /// The name of the identity that it signs as.
  public var identity = ""
  public var trust = Trust.medium
  /// Seconds since 1970.
  public var paired: Int64 = 0
  /// Seconds since 1970; 0 for never.
  public var lastSeen: Int64 = 0
  public var requests: Int64 = 0
  /// Whether each of its requests is asked, by the owner's word or because all apps are.
  public var isPaused = false
  public var longAnswer: LongAnswer?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The app's public key, 64 hex digits.")
    try fields.anyText("signer", &signer, "The public key that answers this app, 64 hex digits.")
    try fields.anyText("name", &name, "What the app is called.")
    try fields.anyText("identity", &identity, "The identity that it signs as.")
    try fields.word("trust", &trust, "How far it is trusted.")
    try fields.integer("paired", &paired, "When it was paired, in seconds since 1970.")
    try fields.integer("last_seen", &lastSeen, "When it last asked for something, in seconds since 1970; 0 for never.")
    try fields.integer("requests", &requests, "How many requests it sent.")
    try fields.flag("suspended", &isPaused, "Whether each of its requests is asked.")
    try fields.object("long_answer", &longAnswer, "The longest answer that a relay may have refused.")
  }
}

/// An answer so long that relays may refuse it.
public struct LongAnswer: Fields {
  public var bytes: Int64 = 0
  /// Seconds since 1970.
  public var at: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("bytes", &bytes, "Its length in bytes.")
    try fields.integer("at", &at, "When it was sent, in seconds since 1970.")
  }
}

/// One rule of an app, by the owner.
public struct AppRule: Fields {
  /// As NIP-46 writes it, perhaps with a scope behind “@”.
  public var permission = ""
  public var verdict = Verdict.ask
  /// Seconds since 1970.
  public var made: Int64 = 0
  /// Seconds since 1970; nil for a rule without an end.
  public var expires: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "As NIP-46 writes it, perhaps with a person or a place behind “@”.")
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.integer("made", &made, "When it was made, in seconds since 1970.")
    try fields.integer("expires", &expires, "When it ends, in seconds since 1970; null for never.")
  }
}

/// How much an app may do without asking.
public struct AppLimits: Fields {
  public var perMinute: Int64?
  public var perHour: Int64?
  public var perDay: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("per_minute", &perMinute, "Uses of the key in a minute; null for no limit.")
    try fields.integer("per_hour", &perHour, "Uses of the key in an hour; null for no limit.")
    try fields.integer("per_day", &perDay, "Uses of the key in a day; null for no limit.")
  }
}

/// So many of one permission in a time.
public struct AppBudget: Fields {
  public var permission = ""
  public var count: Int64 = 0
  public var period = BudgetPeriod.day
  /// How many of them are used up in the present period.
  public var used: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "As NIP-46 writes it.")
    try fields.integer("count", &count, "How many are allowed in the period.")
    try fields.word("period", &period, "The period; it begins with the first request.")
    try fields.integer("used", &used, "How many of them are used up.")
  }
}

/// A permission that the app asked for when it paired, and what it would be told now.
public struct RequestedPermission: Fields {
  public var permission = ""
  public var decision = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "As NIP-46 writes it.")
    try fields.include(&decision)
  }
}

/// What an app may do, as the owner set it.
public struct AppGrant: Fields {
  public var rules: [AppRule] = []
  public var limits = AppLimits()
  public var budgets: [AppBudget] = []
  public var requested: [RequestedPermission] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.objects("rules", &rules, "The rules that hold now.")
    try fields.object("limits", &limits, "How much it may do without asking.")
    try fields.objects("budgets", &budgets, "How much of single permissions.")
    try fields.objects("requested", &requested, "What it asked for when it paired, and what it would be told now.")
  }
}

/// A paired app with everything that is known of it.
public struct AppDetail: Fields {
  public var summary = AppSummary()
  public var url: String?
  public var allowed: [String] = []
  public var denied: [String] = []
  public var relays: [String] = []
  public var grant = AppGrant()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&summary)
    try fields.text("url", &url, "The address that the app gave; nobody checked it.")
    try fields.texts("allowed", &allowed, "Permissions that are allowed without an end.")
    try fields.texts("denied", &denied, "Permissions that are denied without an end.")
    try fields.texts("relays", &relays, "The relays by which it is reached.")
    try fields.include(&grant)
  }
}
