import JSON

/// What those who watch relays and send pushes know of their work, for `/health` and `/metrics`. None of it names a key or a device.
package struct ProxyFigures: Sendable {
  /// The connection to Apple's service.
  package struct Apple: Sendable {
    package var sessionConnects: Int64 = 0
    package var sessionInvalidations: Int64 = 0
    package var sends = Sends()
    package var pruneOnBadDeviceToken: Int64 = 0
    package var pruneOnUnregistered: Int64 = 0
    package var sessionAlive = false
    /// Nil without a connection.
    package var sessionAgeSeconds: Int64?

    /// Nothing sent yet.
    package init() {}
  }

  /// Pushes to services of one kind.
  package struct Sends: Sendable {
    package var sendOk: Int64 = 0
    package var sendFail: Int64 = 0
    package var sendRetried: Int64 = 0
    /// Seconds since 1970; nil for never.
    package var lastSendAt: Int64?
    /// Seconds since 1970; nil for never.
    package var lastFailureAt: Int64?
    /// A reason that Apple documents, or a sentence of ours. What another service says is not repeated.
    package var lastFailureReason: String?

    /// Nothing sent yet.
    package init() {}
  }

  package var apple = Apple()
  /// Pushes to Web Push and UnifiedPush services.
  package var web = Sends()
  /// When the last request for a registered key came, in seconds since 1970; nil for never.
  package var lastEventAt: Int64?
  /// Relays that are watched.
  package var relays: Int64 = 0
  /// Relays that are connected now.
  package var relaysConnected: Int64 = 0
  /// The proxy's own relays.
  package var ownRelays: Int64 = 0
  /// Those of them that are heard for all keys now.
  package var ownRelaysConnected: Int64 = 0
  /// Relays that are connected and do not answer what they are asked.
  package var relaysSilent: Int64 = 0
  /// For how many seconds no relay was connected, took and confirmed what it was asked.
  package var silentSeconds: Int64 = 0
  /// Relays of apps that are stored and not watched, because there is no room.
  package var relaysLeftOut: Int64 = 0
  /// Relays of apps that were not taken, because there is no room.
  package var relaysDeclined: Int64 = 0
  /// Events that relays sent.
  package var events: Int64 = 0

  /// Nothing done yet.
  package init() {}
}

extension ProxyFigures.Apple {
  /// With the names that Clave's proxy has.
  var json: JSONValue {
    .object(
      [
        .init("sessionConnects", .integer(sessionConnects)), .init("sessionInvalidations", .integer(sessionInvalidations)),
      ] + sends.counts + [
        .init("pruneOnBadDeviceToken", .integer(pruneOnBadDeviceToken)),
        .init("pruneOnUnregistered", .integer(pruneOnUnregistered)),
      ] + sends.last + [
        .init("sessionAlive", .bool(sessionAlive)),
        .init("sessionAgeSeconds", sessionAgeSeconds.map { .integer($0) } ?? .null),
      ])
  }
}

extension ProxyFigures.Sends {
  /// For Web Push and UnifiedPush. Apple's object has the same members among others.
  var json: JSONValue { .object(counts + last) }

  fileprivate var counts: [JSONValue.Member] {
    [
      .init("sendOk", .integer(sendOk)), .init("sendFail", .integer(sendFail)), .init("sendRetried", .integer(sendRetried)),
    ]
  }

  fileprivate var last: [JSONValue.Member] {
    [
      .init("lastSendAt", UTCTime.json(lastSendAt)), .init("lastFailureAt", UTCTime.json(lastFailureAt)),
      .init("lastFailureReason", lastFailureReason.map { .string($0) } ?? .null),
    ]
  }
}
