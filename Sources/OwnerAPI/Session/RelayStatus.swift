// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The state of the connection to a relay.
public enum RelayState: String, Word {
  /// The signer's own relay, to which apps connect.
  case embedded
  case connecting
  case connected
  /// The connection was lost and will be tried again.
  case waiting
}

/// The state of a relay. The embedded relay and an outside relay have different members.
public struct RelayStatus: Fields {
  public var url = ""
  public var state = RelayState.connecting
  /// Only for the embedded relay.
  public var embedded: EmbeddedRelayCounts?
  /// Only for an outside relay.
  public var connection: RelayConnectionStatus?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("url", &url, "The relay's address.")
    try fields.word("state", &state, "The state of the connection; embedded for the signer's own relay.")
    try fields.part(&embedded, knownBy: "connections")
    try fields.part(&connection, knownBy: "since")
  }
}

/// The use of the embedded relay.
public struct EmbeddedRelayCounts: Fields {
  public var connections: Int64 = 0
  public var subscriptions: Int64 = 0
  public var kept: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("connections", &connections, "The number of connections.")
    try fields.integer("subscriptions", &subscriptions, "The number of subscriptions.")
    try fields.integer("kept", &kept, "The number of stored events.")
  }
}

/// The connection to an outside relay.
public struct RelayConnectionStatus: Fields {
  /// Seconds since 1970.
  public var since: Int64 = 0
  /// Seconds since 1970.
  public var awaySince: Int64?
  public var received: Int64 = 0
  public var published: Int64 = 0
  public var refused: Int64 = 0
  public var connects: Int64 = 0
  /// Milliseconds.
  public var lastOK: Int64?
  public var lastError: String?
  public var lastNotice: String?
  public var mayBeInside = false
  public var isNamedAtStart = false
  /// Empty while it is connected. At most 20.
  public var users: [String] = []
  public var hours: [RelayHour] = []

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("since", &since, "When the state last changed, in seconds since 1970.")
    try fields.integer(
      "away_since", &awaySince, "Since when it cannot be reached, in seconds since 1970; null while it is connected.")
    try fields.integer("received", &received, "How many events it sent.")
    try fields.integer("published", &published, "How many answers it accepted.")
    try fields.integer("refused", &refused, "How many answers it refused or did not accept in time.")
    try fields.integer("connects", &connects, "How often it was connected.")
    try fields.integer("last_ok_ms", &lastOK, "How long the last OK took, in milliseconds; null before the first.")
    try fields.text("last_error", &lastError, "Why the connection was last lost, in words; null when it never was.")
    try fields.text("last_notice", &lastNotice, "The relay's last notice; null for none.")
    try fields.flag("may_be_inside", &mayBeInside, "Whether it may lie inside the owner's own network.")
    try fields.flag("at_start", &isNamedAtStart, "Whether it was named when the signer was started, with --relay.")
    try fields.texts(
      "users", &users,
      "While it is not connected: the signer's keys for the apps and unused links that name it, 64 hex digits each, at most 20.")
    try fields.objects("hours", &hours, "Those of the last 24 hours in which something happened, oldest first.")
  }
}

/// What happened on the connection to a relay within an hour.
public struct RelayHour: Fields {
  /// Seconds since 1970.
  public var start: Int64 = 0
  public var drops: Int64 = 0
  public var accepted: Int64 = 0
  /// Milliseconds.
  public var delay: Int64?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("start", &start, "When the hour began, in seconds since 1970.")
    try fields.integer("drops", &drops, "How often the connection was lost.")
    try fields.integer("accepted", &accepted, "How many answers it accepted.")
    try fields.integer("ok_ms", &delay, "How long it took to accept one, in milliseconds on average; null for none.")
  }
}
