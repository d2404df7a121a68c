// Members are explained once, where `visit` names them: the documents take it from there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Where the connection to a relay stands.
public enum RelayState: String, Word {
  /// The signer's own relay, to which apps connect.
  case embedded
  case connecting
  case connected
  /// The connection was lost, and is tried again later.
  case waiting
}

/// How a relay is doing. The embedded relay and one elsewhere say different things.
public struct RelayStatus: Fields {
  public var url = ""
  public var state = RelayState.connecting
  /// For the embedded relay alone.
  public var embedded: EmbeddedRelayCounts?
  /// For a relay elsewhere.
  public var connection: RelayConnectionStatus?

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.anyText("url", &url, "The relay's address.")
    try fields.word("state", &state, "Where the connection stands; embedded for the signer's own relay.")
    try fields.part(&embedded, knownBy: "connections")
    try fields.part(&connection, knownBy: "since")
  }
}

/// Who uses the embedded relay.
public struct EmbeddedRelayCounts: Fields {
  public var connections: Int64 = 0
  public var subscriptions: Int64 = 0
  public var kept: Int64 = 0

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("connections", &connections, "How many connections it has.")
    try fields.integer("subscriptions", &subscriptions, "How many subscriptions it has.")
    try fields.integer("kept", &kept, "How many events it keeps.")
  }
}

/// How the connection to a relay elsewhere is doing.
public struct RelayConnectionStatus: Fields {
  /// Seconds since 1970.
  public var since: Int64 = 0
  public var received: Int64 = 0
  public var published: Int64 = 0
  public var refused: Int64 = 0
  public var connects: Int64 = 0
  /// Milliseconds.
  public var lastOK: Int64?
  public var lastError: String?
  public var lastNotice: String?
  public var mayBeInside = false

  public init() {}

  public mutating func visit(_ fields: FieldVisitor) throws(FieldError) {
    try fields.integer("since", &since, "Since when it has stood like this, in seconds since 1970.")
    try fields.integer("received", &received, "How many events came from it.")
    try fields.integer("published", &published, "How many answers it took.")
    try fields.integer("refused", &refused, "How many answers it refused or did not take in time.")
    try fields.integer("connects", &connects, "How often the connection was made.")
    try fields.integer("last_ok_ms", &lastOK, "How long the last OK took, in milliseconds; null before the first.")
    try fields.text("last_error", &lastError, "Why the connection was last lost, in words; null when it never was.")
    try fields.text("last_notice", &lastNotice, "What the relay last said to people; null for nothing.")
    try fields.flag("may_be_inside", &mayBeInside, "Whether it may lie inside the owner's own network.")
  }
}
