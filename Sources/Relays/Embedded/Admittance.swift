internal import Curve
internal import Encodings
internal import Locks
public import Sockets

/// Who may be connected to the relay, and who goes when there are too many.
struct Admittance {
  /// Why a connection counts as a paired app's.
  private struct Voucher: Hashable {
    let app: PublicKey
    /// An event that the app signed came by it; else it subscribes for the app's key.
    let isProof: Bool
  }

  let places = Places<ObjectIdentifier>()
  /// The keys of the apps that are paired.
  var apps: Set<PublicKey> = []
  /// Connections that were closed for others, and that found no place.
  var (pushedOut, turnedAway) = (0, 0)
  var lastShortage: Int64?
  private var vouchers: [ObjectIdentifier: Voucher] = [:]
  private var counts: [Voucher: Int] = [:]

  /// Whether a connection is a paired app's. An app's first connections count, not each that knows its key.
  mutating func isApps(
    _ client: ObjectIdentifier, author: PublicKey?, recipients: some Sequence<Bytes32>, _ limits: RelayLimits
  ) -> Bool {
    if let voucher = vouchers[client] {
      if apps.contains(voucher.app) { return true }
      forget(client)
    }
    if let author, vouch(client, Voucher(app: author, isProof: true), limits) { return true }
    for recipient in recipients where vouch(client, Voucher(app: PublicKey(recipient), isProof: false), limits) { return true }
    return false
  }

  private mutating func vouch(_ client: ObjectIdentifier, _ voucher: Voucher, _ limits: RelayLimits) -> Bool {
    guard apps.contains(voucher.app), (counts[voucher] ?? 0) < limits.connectionsPerApp else { return false }
    vouchers[client] = voucher
    counts[voucher, default: 0] += 1
    return true
  }

  mutating func left(_ client: ObjectIdentifier) {
    places.leave(client)
    forget(client)
  }

  private mutating func forget(_ client: ObjectIdentifier) {
    guard let voucher = vouchers.removeValue(forKey: client), let count = counts[voucher] else { return }
    counts[voucher] = count > 1 ? count - 1 : nil
  }
}

extension EmbeddedRelay {
  /// When somebody who was turned away may come again.
  private static let retryAfterSeconds = "30"

  /// What to do with a WebSocket handshake on the relay's path.
  public func upgrade(_ request: HTTPRequest) -> Service.Upgrade {
    let client = RelayClient(self)
    let key = ObjectIdentifier(client)
    let most = Places<ObjectIdentifier>.Limits(places: limits.connections, strangersPerHolder: limits.strangersPerHolder)
    let now = clock()
    let (isWelcome, pushedOut) = state.withLock { state -> (Bool, RelayClient?) in
      let places = state.admittance.places
      let room = places.room(for: request.holder, most, now: now) { state.isOfUse($0, limits) ? .lasting : .none }
      var pushedOut: RelayClient?
      if case .free = room {} else { state.admittance.lastShortage = now }
      switch room {
      case .free: break
      case .instead(let other):
        state.admittance.pushedOut += 1
        pushedOut = state.clients[other]
      case .none:
        state.admittance.turnedAway += 1
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
    var busy = HTTPResponse(status: 503, text: "This relay has all the connections it takes. Try again later.")
    busy.headers.append(HTTPHeader("retry-after", Self.retryAfterSeconds))
    return .refuse(busy)
  }

  /// Whether a connection is a paired app's, or somebody's who logged in.
  func isOfUse(_ client: RelayClient) -> Bool { state.withLock { $0.isOfUse(ObjectIdentifier(client), limits) } }

  /// How many connections were closed for others and how many found no place, since the start; and when one last did, by the clock.
  public var shortage: (pushedOut: Int, turnedAway: Int, last: Int64?) {
    state.withLock { ($0.admittance.pushedOut, $0.admittance.turnedAway, $0.admittance.lastShortage) }
  }
}

extension EmbeddedRelay.State {
  fileprivate mutating func isOfUse(_ key: ObjectIdentifier, _ limits: RelayLimits) -> Bool {
    guard let client = clients[key] else { return false }
    if client.isLoggedIn { return true }
    return admittance.isApps(key, author: client.author, recipients: subscriptions.recipients(of: client), limits)
  }
}
