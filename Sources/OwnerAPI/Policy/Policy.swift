// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The effect of an event kind.
public enum EventEffect: String, Word {
  /// It publishes or sends something, such as a note or a message.
  case ordinary
  /// It replaces a list.
  case list
  /// It replaces how others see or reach the author.
  case profile
  /// It logs the author in somewhere.
  case login
  /// It spends or holds money, or says where payments go.
  case money
  /// It deletes published events, or removes people.
  case destruction
  /// It makes a statement about the key itself.
  case keyHandling = "key-handling"
  /// The kind is not known here.
  case unknown
}

/// The decisions of each trust level about a well-known action.
public struct PolicyDefault: Fields {
  /// For people: “your profile”.
  public var what = ""
  /// The kinds of events that are meant, such as `7375 …`; empty where many kinds or none are.
  public var kinds = ""
  public var full = RuledVerdict()
  public var medium = RuledVerdict()
  public var low = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "The action, for people.")
    try fields.anyText("kinds", &kinds, "The kinds of events that are meant, for people; empty where many kinds or none are.")
    try fields.object("full", &full, "The decision under full trust.")
    try fields.object("medium", &medium, "The decision under medium trust.")
    try fields.object("low", &low, "The decision under low trust.")
  }
}

/// The decisions of each trust level about signing events of some kinds.
public struct KindPolicy: Fields {
  /// The range of kinds, both ends included.
  public var first: Int64 = 0
  public var last: Int64 = 0
  /// For people: “note”.
  public var name = ""
  public var effect = EventEffect.unknown
  public var full = Verdict.ask
  public var medium = Verdict.ask
  public var low = Verdict.ask

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("first", &first, "The lowest of the kinds.")
    try fields.integer("last", &last, "The highest of the kinds.")
    try fields.anyText("name", &name, "The name of such an event.")
    try fields.word("effect", &effect, "The effect of such an event.")
    try fields.word("full", &full, "The decision under full trust.")
    try fields.word("medium", &medium, "The decision under medium trust.")
    try fields.word("low", &low, "The decision under low trust.")
  }
}

/// The decision for one app about a well-known action.
public struct PolicyAnswer: Fields {
  /// For people: “your profile”.
  public var what = ""
  /// The kinds of events that are meant, such as `7375 …`; empty where many kinds or none are.
  public var kinds = ""
  public var decision = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "The action, for people.")
    try fields.anyText("kinds", &kinds, "The kinds of events that are meant, for people; empty where many kinds or none are.")
    try fields.include(&decision)
  }
}

/// The rules for one app.
public struct AppPolicy: Fields {
  /// The app's public key, 64 hex digits.
  public var client = ""
  public var name = ""
  public var trust = Trust.medium
  public var holds: [PolicyAnswer] = []
  public var grant = AppGrant()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("client", &client, "The app's public key, 64 hex digits.")
    try fields.anyText("name", &name, "The app's name.")
    try fields.word("trust", &trust, "The app's trust level.")
    try fields.objects("holds", &holds, "The decisions that apply to it now.")
    try fields.include(&grant)
  }
}

/// The rules for all apps, with `defaults` and `kinds`; or for one app, with `app`.
public struct PolicySummary: Fields {
  public var defaultTrust = Trust.medium
  /// Percent, 0 to 100.
  public var followShare: Int64 = 0
  /// Whether the owner is asked about every use of a key, as after `panic`.
  public var isPaused = false
  public var defaults: [PolicyDefault]?
  public var kinds: [KindPolicy]?
  public var app: AppPolicy?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("default_trust", &defaultTrust, "The trust level of a new app, if none is given.")
    try fields.integer(
      "follow_share", &followShare, "The owner is asked about a follow list that drops more than this share, in percent.")
    try fields.flag("suspended", &isPaused, "Whether all apps are paused, so that the owner is asked about every use of a key.")
    try fields.leftOut.objects("defaults", &defaults, "The decisions of each trust level about well-known actions.")
    try fields.leftOut.objects("kinds", &kinds, "The decisions of each trust level about each kind of event.")
    try fields.part(&app, knownBy: "client")
  }
}
