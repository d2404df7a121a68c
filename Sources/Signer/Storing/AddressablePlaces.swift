internal import Curve

/// How many places of addressable events are stored, and how many were signed at with a time later than now. An app makes a new place
/// with each `d` tag that it thinks of, and retention does not reach them.
struct AddressablePlaces {
  /// The most places: some 6 MiB of the vault.
  static let most = 10_000
  /// How many events that apps dated later than now may be signed at a time. A place cannot be folded before its last time has come:
  /// without this limit one app could fill all places with such events, and no app could sign at a new one.
  static let mostAhead = most / 2
  /// How many of them may be one app's.
  static let mostAheadOfOneApp = mostAhead / 10

  /// How many places are stored.
  private(set) var count: Int
  /// The times later than now of the events that were signed, by the app that asked; under nil those of the owner, and of before this start.
  private var ahead: [PublicKey?: [Int64]]
  /// No place can be folded before this time, in seconds since 1970; nil where that is not known.
  private var foldableFrom: Int64?

  /// - Parameters:
  ///   - lastTimes: the last time signed at each stored place, in seconds since 1970.
  ///   - now: seconds since 1970.
  init(lastTimes: [Int64], now: Int64) { (count, ahead) = (lastTimes.count, [nil: lastTimes.filter { $0 > now }]) }

  /// Whether another event may be dated to this time without the owner's word.
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

  /// Whether there is no room for another place, and none can be made yet.
  func isFull(now: Int64) -> Bool { count >= Self.most && foldableFrom.map { now < $0 } ?? false }

  /// Notes that nothing could be folded.
  mutating func cannotFold(before time: Int64?) { foldableFrom = time }

  /// Notes an event that was stored.
  /// - Parameters:
  ///   - isNew: whether it made a place.
  ///   - folded: how many places went for it.
  mutating func stored(at time: Int64, by app: PublicKey?, isNew: Bool, folded: Int, now: Int64) {
    count += (isNew ? 1 : 0) - folded
    if time > now { ahead[app, default: []].append(time) }
    if folded > 0 { foldableFrom = nil }
  }
}
