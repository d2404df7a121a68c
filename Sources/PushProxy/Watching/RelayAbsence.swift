import Sockets

/// For how long relays that pairs named have had no connection. No I/O and no clock: times are milliseconds of one that never goes back.
struct RelayAbsence {
  /// How long a relay may be without any connection before it gives its place to another one, in milliseconds: three days.
  static let longest: Int64 = 3 * 86_400_000

  /// When each relay was last connected, or was first given a place.
  private var since: [WebSocketURL: Int64] = [:]
  /// The relays that have been without a connection for too long.
  private(set) var absent: Set<WebSocketURL> = []

  /// Takes which relays have a place now. The time of a new one begins. One that lost its place is remembered while pairs name it: otherwise it
  /// would take a place from another relay at the next plan.
  /// - Parameter named: all relays that pairs name.
  mutating func placed(_ relays: Set<WebSocketURL>, named: Set<WebSocketURL>, now: Int64) {
    since = since.filter { named.contains($0.key) }
    for relay in relays where since[relay] == nil { since[relay] = now }
    absent.formIntersection(since.keys)
  }

  /// Takes which relays are connected now.
  /// - Parameter connected: their addresses.
  /// - Returns: whether other relays count as absent than before.
  mutating func look(connected: Set<String> = [], now: Int64) -> Bool {
    for relay in since.keys where connected.contains(relay.text) { since[relay] = now }
    let found = Set(since.filter { now - $0.value >= Self.longest }.keys)
    defer { absent = found }
    return absent != found
  }
}
