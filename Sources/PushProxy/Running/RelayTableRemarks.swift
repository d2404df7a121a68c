import Platform

/// Tells the operator that relays which apps named are not watched: each reason once an hour at most.
final class RelayTableRemarks: Sendable {
  private enum Reason: Hashable {
    case declined(RelayTable.Refusal)
    case leftOut
  }

  /// The time between two lines of one reason, in milliseconds.
  static let pause: Int64 = 3_600_000

  private let next = Locked<[Reason: Int64]>([:])
  private let remark: @Sendable (String) -> Void

  init(_ remark: @escaping @Sendable (String) -> Void) { self.remark = remark }

  /// A relay of a pair was not taken.
  /// - Parameter now: milliseconds of a clock that never goes back.
  func declined(_ refusal: RelayTable.Refusal, now: Int64) { say(Self.sentence(refusal), .declined(refusal), now) }

  /// Relays are stored and not watched.
  func leftOut(_ count: Int, now: Int64) {
    say(
      """
      The proxy does not watch all relays that are stored: \(count) \(count == 1 ? "is" : "are") left out, because it watches at most \
      \(RelayPlaces.most) relays that apps name, and \(RelayPlaces.pathsPerHost) addresses with a path at each host. Nobody is woken for requests there.
      """, .leftOut, now)
  }

  private func say(_ line: String, _ reason: Reason, _ now: Int64) {
    let isTime = next.withLock { next in
      guard now >= next[reason] ?? .min else { return false }
      next[reason] = now + Self.pause
      return true
    }
    if isTime { remark(line) }
  }

  private static func sentence(_ refusal: RelayTable.Refusal) -> String {
    switch refusal {
    case .full:
      """
      The proxy watches \(RelayPlaces.most) relays that apps named, which is as many as it can. A signer named a further one, which is not watched. \
      Signers that name only such relays are refused (relay_table_full).
      """
    case .hostFull:
      """
      A signer named a further address of a host of which the proxy watches \(RelayPlaces.pathsPerHost) addresses with a path. It is not watched \
      (relay_limit_per_host).
      """
    case .tooMany:
      """
      Signers at one address named more than \(RelayTable.novelPerHour) new relays in an hour. Further ones are not watched (novel_relay_rate). \
      If all signers seem to have one address, name the reverse proxy with --trusted-proxy.
      """
    }
  }
}
