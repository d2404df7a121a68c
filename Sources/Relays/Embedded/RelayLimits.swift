import Sockets

/// The limits of the embedded relay. In parentheses: the NIP-01 prefix that a client receives when it exceeds the limit.
public struct RelayLimits: Sendable, Equatable {
  /// Bytes of one message. A longer one closes the connection with code 1009. The limit admits 1 MiB of text that is encrypted
  /// twice.
  public var messageBytes = 4 << 20
  /// Connections at once. When all are taken, a new one replaces a stranger: a connection that neither subscribes for a paired
  /// app nor sent one of its events.
  public var connections = 1_536
  /// Stranger connections of one holder (an address, or the processes of a user). A further one closes the oldest.
  public var strangersPerHolder = SocketLimits.strangersPerHolder
  /// Connections that count as a paired app's because they subscribe for its key. As many again count because they sent an event
  /// that the app signed and nobody sent before: one for each holder, those with the newest events. Anybody who knows the key can
  /// subscribe for it, so the two are counted separately.
  public var connectionsPerApp = 16
  /// Subscriptions of one connection (restricted).
  public var subscriptions = 32
  /// Subscriptions of all connections with a filter that names events but no recipient. Each is checked for every event
  /// (restricted).
  public var openSubscriptions = 64
  /// Filters of one request (a notice: invalid).
  public var filters = 10
  /// Values in all lists of one filter (a notice: invalid).
  public var filterValues = 1_000
  /// Bytes of a tag's value that count as one value, enough for a key. A longer text counts as several.
  static let valueBytes = 64
  /// Values in all filters of one connection's subscriptions (restricted).
  public var subscriptionValues = 10_000
  /// Values that each connection may always have, however many others have: enough for the few subscriptions that an app makes.
  public var ownSubscriptionValues = 64
  /// Values in all filters of all subscriptions, beyond each connection's own ones (restricted).
  public var allSubscriptionValues = 100_000
  /// Steps that searches of stored events may take at once, for all connections together, beyond each connection's own ones
  /// (rate-limited). A tenth of it is added each second. A step is one comparison, or sending `bytesPerStep` of an event that is
  /// found. Each value of a filter costs `stepsPerValue` in addition.
  public var searchSteps = 20_000_000
  /// Steps that one connection may always take for comparisons, however many others take: enough for the few subscriptions that
  /// apps make. It has the same number of steps again for sending. Events that others store for its keys use up only the latter,
  /// so that the app can still subscribe.
  public var ownSearchSteps = 50_000
  /// Steps for adding one value of a filter and removing it later.
  static let stepsPerValue = 64
  /// Bytes of an event in memory whose sending costs about as much as one comparison.
  static let bytesPerStep = 8
  /// Letters of a subscription's name (NIP-01).
  public let subscriptionName = 64
  /// Events that a connection may send at once, and each second after that (rate-limited).
  public var eventBurst = 20_000
  /// See `eventBurst`.
  public var eventsPerSecond = 5_000
  /// Events that an author may send at once over all connections (rate-limited). Only events with the author's valid signature
  /// count, each once.
  public var authorEventBurst = 20_000
  /// See `authorEventBurst`.
  public var authorEventsPerSecond = 5_000
  /// Authors that are counted at once. When all of them are being limited, a new author is refused (rate-limited).
  public var authors = 4_096
  /// Subscriptions and logins that a connection may request at once (rate-limited).
  public var requestBurst = 500
  /// See `requestBurst`.
  public var requestsPerSecond = 50
  /// Messages that are not Nostr, after which the connection is closed with code 1008.
  public var malformedMessages = 20
  /// Events with a wrong id or signature, after which the connection is closed with code 1008.
  public var forgedEvents = 20
  /// Bytes of one connection that may wait for verification before reading from it stops.
  public var bytesInFlight = 8 << 20
  /// Events of one connection that may wait for verification before reading from it stops.
  public var eventsInFlight = 256
  /// Bytes of all connections together that may wait for verification (rate-limited).
  public var allBytesInFlight = 64 << 20
  /// Bytes of an event that is always checked, however much else is waiting. Most requests of apps are this small. The workers'
  /// queue limits their number.
  public let fairBytesInFlight = 4 << 10
  /// Copies of events that may be sent at once, for events whose keys are named by more than `fairCopies` subscriptions. Each
  /// copy costs the socket thread 10 µs. Beyond this, such an event is sent only to paired apps. It is stored like any other.
  public var copyBurst = 50_000
  /// Copies that are added each second.
  public var copiesPerSecond = 20_000
  /// Subscriptions that are always checked for an event: this many that name its keys, and those that name no key.
  public let fairCopies = 64
  /// How long an event is stored, in seconds. A signer that a push message wakes finds its request.
  public var keptSeconds: Int64 = 600
  /// Answers of the signer that are stored, and as many events of others. A new one replaces the oldest.
  public var keptEvents = 10_000
  /// Bytes of the answers that are stored, and as many of others' events. A new event replaces the oldest.
  public var keptBytes = 8 << 20
  /// Events of others that are stored for one key. Further ones are sent to subscribers but not stored. The signer's answers are
  /// not affected.
  public var keptForOneKey = 256
  /// Bytes of others' events that are stored for one key, beyond the first event.
  public var keptBytesForOneKey = 1 << 20
  /// How far an event's time may differ from ours, in seconds (invalid).
  public var clockDifference: Int64 = 600
  /// Bytes that may wait for a client that does not read, before its connection is closed. A new subscription receives stored
  /// events of up to half as many bytes: the signer's answers first, then others' events, newest first.
  public var sendQueueBytes = 8 << 20
  /// Bytes that may wait for all clients together. Beyond it, clients with more than `fairQueueBytes` waiting are disconnected.
  public var allSendQueueBytes = 64 << 20
  /// Bytes that may always wait for one client, however many wait for others.
  public let fairQueueBytes = 64 << 10
  /// Tags of one event (invalid).
  public var tags = 16

  /// The default limits.
  public init() {}
}
