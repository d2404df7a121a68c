import JSON

/// What those who watch relays and send pushes know of their work, for `/health` and `/metrics`. None of it names a key or a device.
package struct ProxyFigures: Sendable {
  /// The connection to Apple's service.
  package struct Apple: Sendable {
    package var sessionConnects: Int64 = 0
    package var sessionInvalidations: Int64 = 0
    package var sendOk: Int64 = 0
    package var sendFail: Int64 = 0
    package var sendRetried: Int64 = 0
    package var pruneOnBadDeviceToken: Int64 = 0
    package var pruneOnUnregistered: Int64 = 0
    /// Seconds since 1970; nil for never.
    package var lastSendAt: Int64?
    /// Seconds since 1970; nil for never.
    package var lastFailureAt: Int64?
    /// A reason that Apple documents.
    package var lastFailureReason: String?
    package var sessionAlive = false
    /// Nil without a connection.
    package var sessionAgeSeconds: Int64?

    /// Nothing sent yet.
    package init() {}
  }

  package var apple = Apple()
  /// When the last request for a registered key came, in seconds since 1970; nil for never.
  package var lastEventAt: Int64?
  /// Relays that are watched.
  package var relays: Int64 = 0
  /// Relays that are connected now.
  package var relaysConnected: Int64 = 0
  /// Events that relays sent.
  package var events: Int64 = 0
  /// Pushes that Web Push and UnifiedPush services took.
  package var webPushOk: Int64 = 0
  /// Pushes that they did not take.
  package var webPushFail: Int64 = 0

  /// Nothing done yet.
  package init() {}
}

extension ProxyFigures.Apple {
  /// With the names that Clave's proxy has.
  var json: JSONValue {
    .object([
      .init("sessionConnects", .integer(sessionConnects)), .init("sessionInvalidations", .integer(sessionInvalidations)),
      .init("sendOk", .integer(sendOk)), .init("sendFail", .integer(sendFail)), .init("sendRetried", .integer(sendRetried)),
      .init("pruneOnBadDeviceToken", .integer(pruneOnBadDeviceToken)),
      .init("pruneOnUnregistered", .integer(pruneOnUnregistered)),
      .init("lastSendAt", UTCTime.json(lastSendAt)), .init("lastFailureAt", UTCTime.json(lastFailureAt)),
      .init("lastFailureReason", lastFailureReason.map { .string($0) } ?? .null), .init("sessionAlive", .bool(sessionAlive)),
      .init("sessionAgeSeconds", sessionAgeSeconds.map { .integer($0) } ?? .null),
    ])
  }
}
