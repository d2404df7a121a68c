import Platform
import Relays
import Sockets

/// Tells the operator that relays which apps named are not watched: each reason once an hour at most.
final class RelayTableRemarks: Sendable {
  private enum Reason: Hashable {
    case declined(RelayTable.Refusal)
    case leftOut, lost
  }

  private struct State {
    /// When each may be said again.
    var next: [Reason: Int64] = [:]
    /// The hosts that lost their places and were not told yet, and how many relays there are of them.
    var lost: (hosts: Set<String>, count: Int) = ([], 0)
  }

  /// The time between two lines of one reason, in milliseconds.
  static let pause: Int64 = 3_600_000
  /// The most hosts that a line names.
  static let mostNamed = 5

  private let state = Locked(State())
  private let remark: @Sendable (Remark) -> Void

  init(_ remark: @escaping @Sendable (Remark) -> Void) { self.remark = remark }

  /// A relay of a pair was not taken.
  /// - Parameters:
  ///   - relay: that relay, or one of several.
  ///   - now: milliseconds of a clock that never goes back.
  func declined(_ refusal: RelayTable.Refusal, _ relay: WebSocketURL?, now: Int64) {
    guard isTime(.declined(refusal), now) else { return }
    remark(.trouble(Self.sentence(refusal, relay.map { " It is at \(Self.host(of: $0))." } ?? "")))
  }

  /// Relays are stored and not watched.
  func leftOut(_ relays: Set<WebSocketURL>, now: Int64) {
    guard isTime(.leftOut, now) else { return }
    let hosts = Self.list(Set(relays.lazy.map(Self.host)), of: relays.count)
    remark(
      .trouble(
        """
        The proxy does not watch all relays that are stored: \(relays.count) \(relays.count == 1 ? "is" : "are") left out (at \(hosts)), because it \
        watches at most \(RelayPlaces.most) relays that apps name, and \(RelayPlaces.pathsPerHost) addresses with a path at each host. Nobody is woken \
        for requests there.
        """))
  }

  /// Relays without a connection lost their places to others.
  func lost(_ relays: Set<WebSocketURL>, now: Int64) {
    let isNews = state.withLock { state in
      for relay in relays where state.lost.hosts.count < Self.mostNamed { state.lost.hosts.insert(Self.host(of: relay)) }
      state.lost.count += relays.count
      return state.lost.count > 0
    }
    guard isNews, isTime(.lost, now) else { return }
    let (hosts, count) = state.withLock { state in
      defer { state.lost = ([], 0) }
      return state.lost
    }
    remark(
      .trouble(
        """
        \(count) \(count == 1 ? "relay that an app named has" : "relays that apps named have") had no connection for \
        \(RelayAbsence.longest / 86_400_000) days, and lost \(count == 1 ? "its place" : "their places") to others: at \
        \(Self.list(hosts, of: count)). Nobody is woken for requests there.
        """))
  }

  private func isTime(_ reason: Reason, _ now: Int64) -> Bool {
    state.withLock { state in
      guard now >= state.next[reason] ?? .min else { return false }
      state.next[reason] = now + Self.pause
      return true
    }
  }

  // MARK: what strangers named

  /// A relay's host and port, cleaned.
  private static func host(of relay: WebSocketURL) -> String { RelayClient.shown("\(relay.host):\(relay.port)") }

  /// Some hosts.
  /// - Parameter count: how many relays there are at them and others.
  private static func list(_ hosts: Set<String>, of count: Int) -> String {
    let named = hosts.sorted().prefix(mostNamed)
    return named.joined(separator: ", ") + (count > named.count ? " and others" : "")
  }

  /// - Parameter place: a sentence with the relay's host.
  private static func sentence(_ refusal: RelayTable.Refusal, _ place: String) -> String {
    switch refusal {
    case .full:
      """
      The proxy watches \(RelayPlaces.most) relays that apps named, which is as many as it can. A signer named a further one, which is not watched.\
      \(place) Signers that name only such relays are refused (relay_table_full).
      """
    case .hostFull:
      """
      A signer named a further address of a host of which the proxy watches \(RelayPlaces.pathsPerHost) addresses with a path. It is not watched \
      (relay_limit_per_host).\(place)
      """
    case .tooMany:
      """
      Signers at one address named more than \(RelayTable.novelPerHour) new relays in an hour. Further ones are not watched (novel_relay_rate).\(place) \
      If all signers seem to have one address, name the reverse proxy with --trusted-proxy.
      """
    }
  }
}
