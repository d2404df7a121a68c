internal import Curve
public import Encodings

/// The ids of requests that were taken, so that none is taken twice: from several relays, by a replay, or after a restart.
///
/// Ids older than the freshness window are let go, because such an event is refused for its age. The owner of this value puts
/// the ids of the audit log's last entries in at start-up, and again when the clock was set back.
public struct SeenEvents: Sendable {
  /// How far an event's time may be from ours, in seconds, either way.
  public static let freshness: Int64 = 300
  /// How far a clock may be set back, in seconds, before `restore` is needed: ids are held that much longer.
  public static let toleratedStep: Int64 = 2
  /// The most ids held. Beyond it, new requests are refused rather than old ids forgotten.
  public static let maximumHeld = 1_000_000

  private struct Minute: Sendable {
    var ids: Set<Bytes32> = []
    /// How many of them came to each of our keys.
    var shares: [PublicKey: Int] = [:]
  }

  // Ids by the minute of their event's time: letting go of a minute is one step.
  private var minutes: [Int64: Minute] = [:]
  private var held = 0
  private var shares: [PublicKey: Int] = [:]
  private let limit: Int

  /// No ids yet.
  /// - Parameter limit: the most ids held.
  public init(limit: Int = maximumHeld) { self.limit = limit }

  /// How many ids are held.
  public var count: Int { held }

  enum Outcome { case new, seen, full }

  /// Checks and remembers in one step.
  ///
  /// Half of the places are for whoever comes. In the other half each of our keys has no more than its share, so that one app's
  /// flood does not keep all others out.
  /// - Parameter owner: our key that the event came to.
  mutating func insert(_ id: Bytes32, createdAt: Int64, to owner: PublicKey, now: Int64) -> Outcome {
    let minute = createdAt / 60
    if minutes[minute]?.ids.contains(id) ?? false { return .seen }
    if held >= limit / 2 || minutes[minute] == nil { forget(before: now - Self.freshness - Self.toleratedStep) }
    guard held < limit, held < limit / 2 || shares[owner, default: 0] < fairShare(with: owner) else { return .full }
    minutes[minute, default: Minute()].ids.insert(id)
    minutes[minute, default: Minute()].shares[owner, default: 0] += 1
    shares[owner, default: 0] += 1
    held += 1
    return .new
  }

  /// Puts back what was taken before a restart.
  public mutating func restore(_ id: Bytes32, createdAt: Int64) {
    guard held < limit, minutes[createdAt / 60, default: Minute()].ids.insert(id).inserted else { return }
    held += 1
  }

  private func fairShare(with owner: PublicKey) -> Int {
    limit / 2 / max(1, shares.count + (shares[owner] == nil ? 1 : 0))
  }

  // By division: a time from a log may be the latest there is, and its minute's end would not fit.
  private mutating func forget(before time: Int64) {
    for (minute, gone) in minutes where minute < (time - 1) / 60 {
      held -= gone.ids.count
      for (owner, count) in gone.shares {
        let left = shares[owner, default: 0] - count
        shares[owner] = left > 0 ? left : nil
      }
      minutes[minute] = nil
    }
  }
}
