import Platform
package import Sockets

/// Decides which relays of a new pair are watched, so that no signer is told of a relay that is not.
package final class RelayTable: Sendable {
  /// Why a relay of a pair is not watched.
  package enum Refusal: Sendable, Hashable, CaseIterable {
    /// There are as many relays as the proxy watches.
    case full
    /// Its host has as many addresses as the proxy watches.
    case hostFull
    /// Its signer's address named too many new relays lately.
    case tooMany
  }

  /// What becomes of the relays of a pair.
  package struct Decision: Sendable {
    /// Those that are watched.
    package var watched: [WebSocketURL] = []
    /// Why the first of the others is not; nil without others.
    package var refusal: Refusal?
  }

  /// Which relays that pairs named are watched.
  package struct Plan: Sendable {
    var watched: Set<WebSocketURL> = []
    /// Those of them that have had no connection for so long that others may have their places.
    var absent: Set<WebSocketURL> = []
    /// Those that are stored and not watched.
    var leftOut: Set<WebSocketURL> = []
    /// Those of them that lost their places to others now.
    var lost: Set<WebSocketURL> = []
  }

  /// How many relays that nobody had named one address may name at once, and in an hour.
  package static let novelPerHour: Int64 = 30
  /// Milliseconds until a relay that was decided on is among those of the plan, at most.
  static let deciding: Int64 = 60_000

  private struct State {
    /// Nil before it was made for the first time.
    var plan: Plan?
    var leftOut = 0
    /// Relays that were decided on, until when they count although the plan has none of them.
    var decided: [WebSocketURL: Int64] = [:]
    /// One customer can have thousands of IPv6 networks, so they count together, too.
    var novel = PacedAddresses(novelPerHour, in: 3_600_000)
    var declined: Int64 = 0
  }

  private let own: Set<WebSocketURL>
  private let most: Int
  private let remarks: RelayTableRemarks
  private let state = Locked(State())

  /// - Parameters:
  ///   - own: the proxy's own relays, which are watched anyway.
  ///   - remark: takes a line for the operator.
  package convenience init(own: Set<WebSocketURL>, remark: @escaping @Sendable (Remark) -> Void) {
    self.init(own: own, most: RelayPlaces.most, remark: remark)
  }

  init(own: Set<WebSocketURL>, most: Int, remark: @escaping @Sendable (Remark) -> Void) {
    (self.own, self.most, remarks) = (own, most, RelayTableRemarks(remark))
  }

  /// Decides on the relays of a pair.
  /// - Parameters:
  ///   - holder: the address that asks.
  ///   - now: milliseconds of a clock that never goes back.
  package func decide(_ relays: [WebSocketURL], for holder: Holder, now: Int64) -> Decision {
    let decision = state.withLock { Self.decide(relays.map { ($0, own.contains($0)) }, holder, now, most, &$0) }
    if let refusal = decision.refusal {
      remarks.declined(refusal, relays.first { !decision.watched.contains($0) }, now: now)
    }
    return decision
  }

  private static func decide(
    _ relays: [(relay: WebSocketURL, isOwn: Bool)], _ holder: Holder, _ now: Int64, _ most: Int, _ state: inout State
  ) -> Decision {
    guard let plan = state.plan else { return Decision(watched: relays.map(\.relay)) }
    state.decided = state.decided.filter { $0.value > now }
    var places = RelayPlaces(most: most)
    // An absent relay stays where it is until another one wants its place.
    for relay in plan.watched.subtracting(plan.absent) { places.take(relay) }
    for relay in state.decided.keys { places.take(relay) }
    for relay in plan.absent where relays.contains(where: { $0.relay == relay }) { places.take(relay) }
    var decision = Decision()
    for (relay, isOwn) in relays {
      let refusal = isOwn || places.relays.contains(relay) ? nil : refusal(of: relay, places, holder, now, &state)
      if refusal == nil { decision.watched.append(relay) }
      guard !isOwn, refusal == nil, !plan.watched.contains(relay) else {
        decision.refusal = decision.refusal ?? refusal
        continue
      }
      places.take(relay)
      state.decided[relay] = now + deciding
    }
    state.declined += Int64(relays.count - decision.watched.count)
    return decision
  }

  private static func refusal(
    of relay: WebSocketURL, _ places: RelayPlaces, _ holder: Holder, _ now: Int64, _ state: inout State
  ) -> Refusal? {
    switch places.refusal(of: relay) {
    case .full: .full
    case .hostFull: .hostFull
    case nil: state.novel.take(holder, now: now) ? nil : .tooMany
    }
  }

  /// Takes which relays are watched.
  package func planned(_ plan: Plan, now: Int64 = Clock.bootMilliseconds) {
    state.withLock { state in
      (state.plan, state.leftOut) = (plan, plan.leftOut.count)
      state.plan?.leftOut = []  // they may be many
    }
    if !plan.leftOut.isEmpty { remarks.leftOut(plan.leftOut, now: now) }
    remarks.lost(plan.lost, now: now)
  }

  /// How many relays are stored and not watched.
  package var leftOut: Int { state.withLock { $0.leftOut } }
  /// How many relays of pairs were not taken.
  package var declined: Int64 { state.withLock { $0.declined } }
}

extension RelayTable.Refusal {
  /// What a signer is told when none of a pair's relays is watched.
  var answer: ProxyRefusal {
    switch self {
    case .full:
      ProxyRefusal(
        503, .relayTableFull,
        "The proxy watches as many relays as it can, and none of these. Name a relay that other apps use, or try again later.",
        [.init(name: "limit", value: Int64(RelayPlaces.most))])
    case .hostFull:
      ProxyRefusal(
        409, .relayLimitPerHost,
        "The proxy watches at most \(RelayPlaces.pathsPerHost) addresses with a path at one host. Name the relay without a path, or another one.",
        [.init(name: "limit", value: Int64(RelayPlaces.pathsPerHost))])
    case .tooMany:
      ProxyRefusal(
        429, .novelRelayRate,
        "Too many new relays were named from this address. Name a relay that other apps use, or try again later.",
        [.init(name: "limit", value: RelayTable.novelPerHour)])
    }
  }
}
