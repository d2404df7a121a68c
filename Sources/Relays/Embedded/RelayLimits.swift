internal import Sockets

/// The limits of the embedded relay. In brackets the prefix of NIP-01 that a client gets to see beyond one.
public struct RelayLimits: Sendable, Equatable {
  /// Bytes of one message; beyond it the connection is closed with code 1009. 1 MiB of text, encrypted twice on its way, fits.
  public var messageBytes = 4 << 20
  /// Connections at once. With all of them taken, a newcomer gets the place of a stranger: of a connection that neither subscribes for a
  /// paired app nor sent one of its events.
  public var connections = 1_536
  /// Connections of strangers that one holder (an address, or the processes of a user) may have; further ones push out the oldest.
  public var strangersPerHolder = SocketLimits.strangersPerHolder
  /// Connections that count as a paired app's because they subscribe for its key, and as many that count so because they sent an event
  /// that it signed and nobody saw before: one of each holder, those with the newest events. Who knows the key can do the former, so the
  /// two are counted apart.
  public var connectionsPerApp = 16
  /// Subscriptions of one connection (restricted).
  public var subscriptions = 32
  /// Subscriptions of all connections with a filter that names events but no recipient: each of them is looked at for every event
  /// (restricted).
  public var openSubscriptions = 64
  /// Filters of one request (a notice: invalid).
  public var filters = 10
  /// Values in all lists of one filter (a notice: invalid).
  public var filterValues = 1_000
  /// Bytes of a tag's value that count as one value: those of a key. A longer text counts as several.
  static let valueBytes = 64
  /// Values in all filters of one connection's subscriptions (restricted).
  public var subscriptionValues = 10_000
  /// Values that each connection may have, however many others have: those of a few subscriptions, as apps make them.
  public var ownSubscriptionValues = 64
  /// Values in all filters of all connections' subscriptions, beyond the own ones of each (restricted).
  public var allSubscriptionValues = 100_000
  /// Steps that searches among the events kept may take at once, and a tenth of it each second after that, for all connections together,
  /// beyond the own ones of each (rate-limited). A step is a comparison, or the sending of `bytesPerStep` of an event that is found. Each
  /// value of a filter costs `stepsPerValue` besides.
  public var searchSteps = 20_000_000
  /// Comparisons that one connection may cause in the same way, however many others take: enough for the few subscriptions that apps make.
  /// It may be sent as many steps' worth of events besides. Events that others leave for its keys use up only these, so that it can still
  /// subscribe.
  public var ownSearchSteps = 50_000
  /// Steps that it costs to take in one value of a filter, and to let go of it later.
  static let stepsPerValue = 64
  /// Bytes of an event, as it weighs in memory, that cost about as much to send as a comparison.
  static let bytesPerStep = 8
  /// Letters of a subscription's name (NIP-01).
  public let subscriptionName = 64
  /// Events a connection may send at once, and each second after that (rate-limited).
  public var eventBurst = 20_000
  /// See `eventBurst`.
  public var eventsPerSecond = 5_000
  /// Events an author may send at once, and each second after that, over whatever connections (rate-limited). Only those that it signed
  /// itself count, each once.
  public var authorEventBurst = 20_000
  /// See `authorEventBurst`.
  public var authorEventsPerSecond = 5_000
  /// Authors that are counted at once; with that many being held back, new ones are refused (rate-limited).
  public var authors = 4_096
  /// Subscriptions and logins a connection may ask for at once, and each second after that (rate-limited).
  public var requestBurst = 500
  /// See `requestBurst`.
  public var requestsPerSecond = 50
  /// Messages that are not Nostr, after which the connection is closed with code 1008.
  public var malformedMessages = 20
  /// Events with a wrong id or signature, after which the connection is closed with code 1008.
  public var forgedEvents = 20
  /// Bytes one connection may have under way to verification before its reading stops.
  public var bytesInFlight = 8 << 20
  /// Events one connection may have under way to verification before its reading stops.
  public var eventsInFlight = 256
  /// Bytes all connections together may have under way to verification (rate-limited).
  public var allBytesInFlight = 64 << 20
  /// Bytes of an event that is checked in any case, however much of others is under way: as most requests of apps have. The workers' queue
  /// bounds how many these are.
  public let fairBytesInFlight = 4 << 10
  /// How many copies of events may be sent at once, for events whose keys more than `fairCopies` subscriptions name. Each copy costs the
  /// sockets' thread 10 µs. Beyond this, such an event is sent only to paired apps, and is kept as any other.
  public var copyBurst = 50_000
  /// How many of these copies each second adds.
  public var copiesPerSecond = 20_000
  /// Subscriptions for its keys that are looked at for an event in any case, and those that name no key besides.
  public let fairCopies = 64
  /// How long an event is kept, in seconds: a signer that a push woke finds its request.
  public var keptSeconds: Int64 = 600
  /// Answers of the signer that are kept, and as many events of others; the oldest of them makes room.
  public var keptEvents = 10_000
  /// Bytes of the answers that are kept, and as many of others' events; the oldest of them makes room.
  public var keptBytes = 8 << 20
  /// Events of others that are kept for one key; further ones are passed on, and not kept. Who fills it keeps no answer from an app.
  public var keptForOneKey = 256
  /// See `keptForOneKey`: in bytes, beyond the first event.
  public var keptBytesForOneKey = 1 << 20
  /// How far an event's time may be from ours, in seconds (invalid).
  public var clockDifference: Int64 = 600
  /// Bytes that may wait for a client that does not read, before the connection is given up. A new subscription is sent kept events of
  /// half as many bytes: the signer's answers before others' events, the newest first.
  public var sendQueueBytes = 8 << 20
  /// Bytes that may wait for all clients together. Beyond it, those that more than `fairQueueBytes` wait for are given up.
  public var allSendQueueBytes = 64 << 20
  /// Bytes that may wait for any one client, however many wait for others.
  public let fairQueueBytes = 64 << 10
  /// Tags of one event (invalid).
  public var tags = 16

  /// The usual limits.
  public init() {}
}
