import Curve
import EntrustedShares
import RemoteSigning

/// Where a request for a share comes from. Each source has hourly limits of its own, so that a flood from one hides nothing of another.
enum RequestSource: Hashable {
  /// A request for a share of ours, reported by the guardian who keeps it. Requests that he allowed are counted apart.
  case guardian(PublicKey, isAllowed: Bool)
  /// Requests for what is kept here for one owner, by what their senders proved.
  case askers(owner: PublicKey?, ShareRequest.Standing)

  init(_ request: ShareRequest) {
    self =
      request.part == .owner
      ? .guardian(request.other, isAllowed: request.isAllowed) : .askers(owner: request.third, request.standing)
  }
}

/// Counts requests for shares by source and hour.
struct SourceLimits: Sendable {
  private var taken: [RequestSource: HourlyLimit] = [:]

  /// - Parameter now: seconds since 1970.
  /// - Returns: whether fewer than `most` requests of this source were taken in this hour; one more is taken then.
  mutating func take(_ request: ShareRequest, _ most: Int, now: Int64) -> Bool {
    taken[RequestSource(request), default: HourlyLimit()].take(most, now: now)
  }

  /// Forgets what this source took.
  mutating func forget(_ request: ShareRequest) { taken[RequestSource(request)] = nil }
}
