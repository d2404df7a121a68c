// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What becomes of a kind of event.
public enum EventEffect: String, Word {
  /// It says something, as a note or a message does.
  case ordinary
  /// It replaces a list.
  case list
  /// It replaces how others see or reach its author.
  case profile
  /// It logs its author in somewhere.
  case login
  /// It spends money, holds it, or says where it goes.
  case money
  /// It deletes what was published, or removes people.
  case destruction
  /// It speaks for the key itself.
  case keyHandling = "key-handling"
  /// Nobody here knows.
  case unknown
}

/// What each level of trust says to something that people know.
public struct PolicyDefault: Fields {
  /// For people: “your profile”.
  public var what = ""
  public var full = RuledVerdict()
  public var medium = RuledVerdict()
  public var low = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "What is asked for, for people.")
    try fields.object("full", &full, "What full trust says.")
    try fields.object("medium", &medium, "What medium trust says.")
    try fields.object("low", &low, "What low trust says.")
  }
}

/// What each level of trust says to signing events of some kinds.
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
    try fields.anyText("name", &name, "What such an event is called.")
    try fields.word("effect", &effect, "What becomes of such an event.")
    try fields.word("full", &full, "What full trust says.")
    try fields.word("medium", &medium, "What medium trust says.")
    try fields.word("low", &low, "What low trust says.")
  }
}

/// What the rules say to one app that asks for something people know.
public struct PolicyAnswer: Fields {
  /// For people: “your profile”.
  public var what = ""
  public var decision = RuledVerdict()

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("what", &what, "What is asked for, for people.")
    try fields.include(&decision)
  }
}

/// The rules as they are for one app.
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
    try fields.anyText("name", &name, "What the app is called.")
    try fields.word("trust", &trust, "How far it is trusted.")
    try fields.objects("holds", &holds, "What it would be told now.")
    try fields.include(&grant)
  }
}

/// The rules of all apps: with `defaults` and `kinds`, or for one app with `app`.
public struct PolicySummary: Fields {
  public var defaultTrust = Trust.medium
  /// Percent, 0 to 100.
  public var followShare: Int64 = 0
  /// Whether every use of a key is asked, as after `panic`.
  public var isPaused = false
  public var defaults: [PolicyDefault]?
  public var kinds: [KindPolicy]?
  public var app: AppPolicy?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.word("default_trust", &defaultTrust, "How far a new app is trusted when nothing is said.")
    try fields.integer("follow_share", &followShare, "A follow list that drops more than this share, in percent, is asked.")
    try fields.flag("suspended", &isPaused, "Whether all apps are paused, so that every use of a key is asked.")
    try fields.leftOut.objects("defaults", &defaults, "What each level of trust says to things people know.")
    try fields.leftOut.objects("kinds", &kinds, "What each level of trust says to each kind of event.")
    try fields.part(&app, knownBy: "client")
  }
}
