// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// How far an app is trusted.
public enum Trust: String, Word { case full, medium, low }

/// The rules' decision on a request.
public enum Verdict: String, Word { case allow, ask, deny }

/// The period of a budget.
public enum BudgetPeriod: String, Word {
  case hour = "1h"
  case day = "1d"
  case week = "1w"
}

/// A decision, and the rule that made it.
public struct RuledVerdict: Fields {
  public var verdict = Verdict.ask
  /// The rule's stable name.
  public var rule = ""
  /// The rule in a sentence.
  public var reason = ""

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.anyText("rule", &rule, "The name of the rule that decided.")
    try fields.anyText("reason", &reason, "The rule in a sentence.")
  }
}

/// A paired app, as in lists.
public struct AppSummary: Fields {
  /// The app's public key, 64 hex digits.
  public var pubkey = ""
  /// The public key that the signer uses for this app: 64 hex digits. An app that is paired with two identities has two.
  public var signer = ""
  public var name = ""
  /// The name of the identity that the app signs as.
  public var identity = ""
  public var trust = Trust.medium
  /// Seconds since 1970.
  public var paired: Int64 = 0
  /// When it last sent a request, or was paired if it has sent none. Seconds since 1970.
  public var lastSeen: Int64 = 0
  public var requests: Int64 = 0
  /// Whether the owner is asked about each of its requests, because this app or all apps are paused.
  public var isPaused = false
  public var longAnswer: LongAnswer?
  /// Nil for an app that asks over relays. Of these three, one is set at most.
  public var program: LocalProgram?
  public var site: LocalSite?
  public var link: LocalLink?
  /// Whether it is a program, site or link that the owner has not let in yet: all that it asks waits.
  public var isFirstUse = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("pubkey", &pubkey, "The app's public key, 64 hex digits.")
    try fields.anyText("signer", &signer, "The public key that the signer uses for this app, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name.")
    try fields.anyText("identity", &identity, "The identity that the app signs as.")
    try fields.word("trust", &trust, "The app's trust level.")
    try fields.integer("paired", &paired, "When it was paired, in seconds since 1970.")
    try fields.integer(
      "last_seen", &lastSeen,
      "When it last sent a request, in seconds since 1970; the time of pairing if it has sent none.")
    try fields.integer(
      "requests", &requests,
      "How many requests it has sent since it was paired. Saved once a minute: after a crash the last minute may be missing.")
    try fields.flag("suspended", &isPaused, "Whether the owner is asked about each of its requests.")
    try fields.object("long_answer", &longAnswer, "The longest answer that relays may have refused.")
    try fields.object("program", &program, "The program on this machine that it is; null for an app that asks over relays.")
    try fields.object("site", &site, "The site that it is, which asks through the browser extension; null for all others.")
    try fields.object(
      "link", &link, "Where answers go, if it stands for the links with answers to one place; null for all others.")
    try fields.flag(
      "first_use", &isFirstUse,
      "Whether it is a program, site or link that the owner has not let in yet: all that it asks waits.")
  }
}

/// An answer that is so long that relays may refuse it.
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

/// A rule that the owner made for an app.
public struct AppRule: Fields {
  /// In the form of NIP-46, possibly with a scope after “@”.
  public var permission = ""
  /// The permission for people: a person's key is shortened, and the app's own identity is “self”.
  public var text = ""
  public var verdict = Verdict.ask
  /// Seconds since 1970.
  public var made: Int64 = 0
  /// Seconds since 1970; nil for a rule that does not expire.
  public var expires: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText(
      "permission", &permission, "The permission in the form of NIP-46, possibly with a person or a place after “@”.")
    try fields.anyText("text", &text, "The permission for people: a person's key is shortened, the identity itself is self.")
    try fields.word("verdict", &verdict, "Allow, ask or deny.")
    try fields.integer("made", &made, "When the rule was made, in seconds since 1970.")
    try fields.integer("expires", &expires, "When the rule expires, in seconds since 1970; null for never.")
  }
}

/// How much an app may do without asking.
public struct AppLimits: Fields {
  public var perMinute: Int64?
  public var perHour: Int64?
  public var perDay: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("per_minute", &perMinute, "The most uses of the key in a minute; null for no limit.")
    try fields.integer("per_hour", &perHour, "The most uses of the key in an hour; null for no limit.")
    try fields.integer("per_day", &perDay, "The most uses of the key in a day; null for no limit.")
  }
}

/// How many requests of one permission are allowed in a period.
public struct AppBudget: Fields {
  public var permission = ""
  public var count: Int64 = 0
  public var period = BudgetPeriod.day
  /// How many of them are used in the present period.
  public var used: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "The permission in the form of NIP-46.")
    try fields.integer("count", &count, "How many requests are allowed in the period.")
    try fields.word("period", &period, "The period, which begins with the first request.")
    try fields.integer("used", &used, "How many requests of the period are used.")
  }
}

/// A permission that the app requested when it paired, and the decision that applies to it now.
public struct RequestedPermission: Fields {
  public var permission = ""
  public var decision = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("permission", &permission, "The permission in the form of NIP-46.")
    try fields.include(&decision)
  }
}

/// What an app may do, as set by the owner.
public struct AppGrant: Fields {
  public var rules: [AppRule] = []
  public var limits = AppLimits()
  public var budgets: [AppBudget] = []
  public var requested: [RequestedPermission] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.objects("rules", &rules, "The rules that apply now.")
    try fields.object("limits", &limits, "How often the app may use the key without asking.")
    try fields.objects("budgets", &budgets, "Limits for single permissions.")
    try fields.objects(
      "requested", &requested, "The permissions that the app requested when it paired, with the decision for each now.")
  }
}

/// A paired app with all its details.
public struct AppDetail: Fields {
  public var summary = AppSummary()
  public var url: String?
  public var allowed: [String] = []
  public var denied: [String] = []
  public var relays: [String] = []
  public var grant = AppGrant()
  public var isUnchanged: Bool?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.include(&summary)
    try fields.text("url", &url, "The address that the app gave, which was not checked.")
    try fields.texts("allowed", &allowed, "Permissions that are always allowed.")
    try fields.texts("denied", &denied, "Permissions that are always denied.")
    try fields.texts("relays", &relays, "The relays through which the signer communicates with the app.")
    try fields.include(&grant)
    try fields.flag("unchanged", &isUnchanged, "True where the app was paused, or resumed, already.")
  }
}
