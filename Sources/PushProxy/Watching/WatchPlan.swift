import Curve
import Relays
import Sockets

/// Which pool looks for which keys at which relays.
///
/// At most 10,000 keys share a pool, and so a connection to each relay: relays allow about 20 subscriptions on one, and 500 keys go into each.
struct WatchPlan {
  /// The most subscriptions on one connection.
  static let subscriptionsPerConnection = keysPerPool / RelayPool.keysPerSubscription
  /// The most keys of a pool.
  static let keysPerPool = 10_000
  /// The most relays of a pool that pairs named. Beside them are the proxy's own.
  static let namedPerPool = 48

  /// What one pool is to do.
  struct Share: Equatable {
    /// For the proxy's own relays. Empty in a pool that has others only.
    var keys: [PublicKey] = []
    /// The keys that named each other relay.
    var named: [WebSocketURL: [PublicKey]] = [:]
    /// Whether the proxy's own relays are connected even without a key, so that the operator sees whether they can be.
    var isFirst = false
  }

  private let own: Set<WebSocketURL>
  private var keys: StablePlaces<PublicKey>
  private var relays: [StablePlaces<ByText>] = []
  private let namedPerPool: Int
  /// The relays that pairs named and that are watched: those that the most keys named come first.
  private(set) var places = RelayPlaces()
  private var leftOut: Set<WebSocketURL> = []

  init(own: Set<WebSocketURL>, keysPerPool: Int = keysPerPool, namedPerPool: Int = namedPerPool) {
    (self.own, self.namedPerPool) = (own, namedPerPool)
    keys = StablePlaces(capacity: keysPerPool)
  }

  /// The shares of all pools, at least one. A pool that is no longer needed has an empty one.
  /// - Parameter absent: relays that have a place only while no other one needs it.
  mutating func shares(
    keys all: Set<PublicKey>, relays named: [PublicKey: [WebSocketURL]], absent: Set<WebSocketURL> = []
  ) -> [[Share]] {
    keys.arrange(all)
    place(named.filter { all.contains($0.key) }, absent)
    let admitted = places.relays
    while relays.count < keys.groups.count { relays.append(StablePlaces(capacity: namedPerPool)) }
    var all = keys.groups.isEmpty ? [[Share()]] : keys.groups.indices.map { shares(of: $0, named, admitted) }
    all[0][0].isFirst = true
    return all
  }

  /// The relays that pairs named beyond those of `places`. They may be many, and are not kept any longer.
  mutating func takeLeftOut() -> Set<WebSocketURL> {
    defer { leftOut = [] }
    return leftOut
  }

  private mutating func shares(
    of index: Int, _ named: [PublicKey: [WebSocketURL]], _ admitted: Set<WebSocketURL>
  ) -> [Share] {
    let group = keys.groups[index].sorted()
    var byRelay: [WebSocketURL: [PublicKey]] = [:]
    for key in group {
      for relay in Set(named[key] ?? []) where admitted.contains(relay) { byRelay[relay, default: []].append(key) }
    }
    relays[index].arrange(Set(byRelay.keys.map(ByText.init)))
    var shares = relays[index].groups.map { relays in
      Share(named: byRelay.filter { relays.contains(ByText($0.key)) })
    }
    if shares.isEmpty { shares = [Share()] }
    shares[0].keys = group
    return shares
  }

  /// Finds places for the relays that keys named.
  private mutating func place(_ named: [PublicKey: [WebSocketURL]], _ absent: Set<WebSocketURL>) {
    var count: [WebSocketURL: Int] = [:]
    for relays in named.values { for relay in Set(relays) where !own.contains(relay) { count[relay, default: 0] += 1 } }
    places = RelayPlaces()
    let ordered = count.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }.map(\.key)
    for relay in ordered where !absent.contains(relay) { places.take(relay) }
    for relay in ordered where absent.contains(relay) { places.take(relay) }
    leftOut = Set(ordered).subtracting(places.relays)
  }
}

/// An address with an order.
private struct ByText: Hashable, Comparable {
  let url: WebSocketURL
  init(_ url: WebSocketURL) { self.url = url }
  static func < (left: ByText, right: ByText) -> Bool { left.url.text < right.url.text }
}
