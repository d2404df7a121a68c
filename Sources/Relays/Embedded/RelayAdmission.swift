import Curve
import Encodings
import Nostr
import Platform
public import Sockets

/// Who may connect to the relay, and which connection is closed when there are too many.
struct RelayAdmission {
  let places = Places<ObjectIdentifier>()
  /// The keys of the apps that are paired.
  var apps: Set<PublicKey> = []
  /// Connections that were closed to make room, and connections that were refused.
  var (pushedOut, refused) = (0, 0)
  var lastShortage: Int64?
  private var vouchers = EventVouchers()
  /// Connections that count as an app's because they subscribe for its key. Only the first few count, since anybody may know the
  /// key.
  private var claims: [ObjectIdentifier: PublicKey] = [:]
  private var counts: [PublicKey: Int] = [:]

  /// Whether a connection is a paired app's.
  mutating func isApps(_ client: ObjectIdentifier, recipients: some Sequence<Bytes32>, _ limits: RelayLimits) -> Bool {
    if let author = vouchers.author(of: client), apps.contains(author) { return true }
    if let claim = claims[client] {
      if apps.contains(claim) { return true }
      forgetClaim(of: client)
    }
    for recipient in recipients where claim(PublicKey(recipient), for: client, limits) { return true }
    return false
  }

  /// The connections known to belong to paired apps.
  var appsClients: Set<ObjectIdentifier> {
    apps.reduce(into: Set(claims.filter { apps.contains($0.value) }.keys)) { $0.formUnion(vouchers.clients(of: $1)) }
  }

  /// Whether one more connection may count as an app's because it subscribes for this key.
  func mayClaim(_ app: PublicKey, _ limits: RelayLimits) -> Bool {
    apps.contains(app) && (counts[app] ?? 0) < limits.connectionsPerApp
  }

  /// Notes an event that nobody sent before.
  mutating func sent(_ event: Event, by client: ObjectIdentifier, at holder: Holder, _ limits: RelayLimits) {
    // Somebody else's event over the same connection does not change that it is a paired app's.
    if let author = vouchers.author(of: client), apps.contains(author), !apps.contains(event.pubkey) { return }
    vouchers.give(client, at: holder, for: event.pubkey, createdAt: event.createdAt, most: limits.connectionsPerApp)
  }

  private mutating func claim(_ app: PublicKey, for client: ObjectIdentifier, _ limits: RelayLimits) -> Bool {
    guard mayClaim(app, limits) else { return false }
    claims[client] = app
    counts[app, default: 0] += 1
    return true
  }

  mutating func left(_ client: ObjectIdentifier) {
    places.leave(client)
    vouchers.takeAway(client)
    forgetClaim(of: client)
  }

  private mutating func forgetClaim(of client: ObjectIdentifier) {
    guard let app = claims.removeValue(forKey: client), let count = counts[app] else { return }
    counts[app] = count > 1 ? count - 1 : nil
  }
}

extension EmbeddedRelay {
  /// When a refused client may try again.
  private static let retryAfterSeconds = "30"

  /// The answer to a WebSocket handshake on the relay's path.
  public func upgrade(_ request: HTTPRequest) -> Service.Upgrade {
    let client = EmbeddedConnection(self, request.holder)
    let key = ObjectIdentifier(client)
    let most = Places<ObjectIdentifier>.Limits(places: limits.connections, strangersPerHolder: limits.strangersPerHolder)
    let now = clock()
    let (isWelcome, pushedOut) = state.withLock { state -> (Bool, EmbeddedConnection?) in
      let places = state.admittance.places
      let room = places.room(for: request.holder, most, now: now) { state.isOfUse($0, limits) ? .lasting : .none }
      var pushedOut: EmbeddedConnection?
      if case .free = room {} else { state.admittance.lastShortage = now }
      switch room {
      case .free: break
      case .instead(let other):
        state.admittance.pushedOut += 1
        pushedOut = state.clients[other]
      case .none:
        state.admittance.refused += 1
        return (false, nil)
      }
      state.admittance.places.enter(key, request.holder)
      state.clients[key] = client
      return (true, pushedOut)
    }
    pushedOut?.pushOut()
    if isWelcome {
      return .accept(client, WebSocketOptions(messageBytes: limits.messageBytes, sendQueueBytes: limits.sendQueueBytes))
    }
    var busy = HTTPResponse(status: 503, text: "This relay has no free connections. Try again later.")
    busy.headers.append(HTTPHeader("retry-after", Self.retryAfterSeconds))
    return .refuse(busy)
  }

  /// Counts a connection as the author's after a new event, unless the signer knows the event from another relay, where anybody
  /// may have copied it.
  func vouch(for client: EmbeddedConnection, by event: Event) {
    guard hooks.isUnheard(event) else { return }
    state.withLock { state in
      let key = ObjectIdentifier(client)
      if state.clients[key] != nil { state.admittance.sent(event, by: key, at: client.holder, limits) }
    }
  }

  /// Whether a connection belongs to a paired app or to somebody who logged in.
  func isOfUse(_ client: EmbeddedConnection) -> Bool { state.withLock { $0.isOfUse(ObjectIdentifier(client), limits) } }

  /// How many connections were closed to make room and how many were refused since the start, and the time of the last one by the
  /// clock.
  public var shortage: (pushedOut: Int, refused: Int, last: Int64?) {
    state.withLock { ($0.admittance.pushedOut, $0.admittance.refused, $0.admittance.lastShortage) }
  }
}

extension EmbeddedRelay.State {
  fileprivate mutating func isOfUse(_ key: ObjectIdentifier, _ limits: RelayLimits) -> Bool {
    guard let client = clients[key] else { return false }
    if client.isLoggedIn { return true }
    return admittance.isApps(key, recipients: subscriptions.recipients(of: client), limits)
  }

  /// The subscriptions to check for an event: all that name one of its keys. When strangers made so many that checking them would
  /// delay others, only those of paired apps.
  mutating func listeners(
    to recipients: [Bytes32], _ limits: RelayLimits, _ rate: TokenBucket.Rate, now: Int64
  ) -> [Subscription] {
    let count = subscriptions.count(naming: recipients)
    if count <= limits.fairCopies || copies.take(rate, count: count, now: now) { return subscriptions.naming(recipients) }
    return subscriptions.naming(recipients, of: appsClients(naming: recipients, limits))
  }

  /// The connections of paired apps, and those that begin to count as such because they name a key. Strangers add no time,
  /// however many there are.
  private mutating func appsClients(naming recipients: [Bytes32], _ limits: RelayLimits) -> Set<ObjectIdentifier> {
    var found = admittance.appsClients
    for recipient in recipients {
      for client in subscriptions.clients(naming: recipient) {
        guard admittance.mayClaim(PublicKey(recipient), limits) else { break }
        if admittance.isApps(client, recipients: [recipient], limits) { found.insert(client) }
      }
    }
    return found
  }
}
