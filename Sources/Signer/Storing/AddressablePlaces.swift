import Curve

/// Counts the stored coordinates of addressable events, and those signed with a date in the future. An app makes a new coordinate
/// with each new `d` tag, and retention does not remove them.
struct AddressablePlaces {
  /// The most coordinates: about 6 MiB of the vault.
  static let most = 10_000
  /// How many events dated in the future may be signed for apps at a time. A coordinate cannot be folded before its last date has
  /// passed. Without this limit one app could fill all coordinates with such events, and no app could sign at a new one.
  static let mostAhead = most / 2
  /// How many of them one app may have.
  static let mostAheadOfOneApp = mostAhead / 10

  /// The number of stored coordinates.
  private(set) var count: Int
  /// The future dates of signed events, by requesting app. The key nil is for the owner's, and for those from before this start.
  private var ahead: [PublicKey?: [Int64]]
  /// No coordinate can be folded before this time, in seconds since 1970. Nil when that is unknown.
  private var foldableFrom: Int64?

  /// - Parameters:
  ///   - lastTimes: the last date signed at each stored coordinate, in seconds since 1970.
  ///   - now: seconds since 1970.
  init(lastTimes: [Int64], now: Int64) { (count, ahead) = (lastTimes.count, [nil: lastTimes.filter { $0 > now }]) }

  /// Whether one more event may have this date without the owner's approval.
  mutating func mayDate(_ time: Int64, by app: PublicKey?, now: Int64) -> Bool {
    guard time > now, !hasRoomAhead(app) else { return true }
    ahead = ahead.compactMapValues { times in
      let left = times.filter { $0 > now }
      return left.isEmpty ? nil : left
    }
    return hasRoomAhead(app)
  }

  private func hasRoomAhead(_ app: PublicKey?) -> Bool {
    (ahead[app]?.count ?? 0) < Self.mostAheadOfOneApp && ahead.values.reduce(0) { $0 + $1.count } < Self.mostAhead
  }

  /// Whether there is no space for another coordinate, and none can be made yet.
  func isFull(now: Int64) -> Bool { count >= Self.most && foldableFrom.map { now < $0 } ?? false }

  /// Notes that nothing could be folded.
  mutating func cannotFold(before time: Int64?) { foldableFrom = time }

  /// Notes an event that was stored.
  /// - Parameters:
  ///   - isNew: whether it made a coordinate.
  ///   - folded: how many coordinates were folded for it.
  mutating func stored(at time: Int64, by app: PublicKey?, isNew: Bool, folded: Int, now: Int64) {
    count += (isNew ? 1 : 0) - folded
    if time > now { ahead[app, default: []].append(time) }
    if folded > 0 { foldableFrom = nil }
  }
}
