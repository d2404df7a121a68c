/// The limits of the embedded relay.
public struct RelayLimits: Sendable {
  /// Bytes of one message: 1 MiB of text, encrypted twice on its way, fits.
  public var messageBytes = 4 << 20
  /// Connections at once.
  public var connections = 512
  /// Subscriptions of one connection.
  public var subscriptions = 32
  /// Filters of one request.
  public var filters = 10
  /// Values in all lists of one subscription's filters.
  public var filterValues = 1_000
  /// Letters of a subscription's name (NIP-01).
  public var subscriptionName = 64
  /// Events one connection may send at once, and each second after that.
  public var eventBurst = 20_000
  /// See `eventBurst`.
  public var eventsPerSecond = 5_000
  /// Bytes one connection may have under way to verification before its reading stops.
  public var bytesInFlight = 8 << 20
  /// Events one connection may have under way to verification before its reading stops.
  public var eventsInFlight = 256
  /// How long an event is kept, in seconds: a signer that a push woke finds its request.
  public var keptSeconds: Int64 = 600
  /// Events kept in all; the oldest makes room.
  public var keptEvents = 20_000
  /// Bytes of events kept in all; the oldest makes room.
  public var keptBytes = 16 << 20
  /// How far an event's time may be from ours, in seconds.
  public var clockDifference: Int64 = 600
  /// Bytes that may wait for a client that does not read, before the connection is given up.
  public var sendQueueBytes = 8 << 20
  /// Tags of one event.
  public var tags = 16

  /// The usual limits.
  public init() {}
}
