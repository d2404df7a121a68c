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

  // Ids by the minute of their event's time: letting go of a minute is one step.
  private var minutes: [Int64: Set<Bytes32>] = [:]
  private var held = 0

  /// No ids yet.
  public init() {}

  /// How many ids are held.
  public var count: Int { held }

  enum Outcome { case new, seen, full }

  /// Checks and remembers in one step.
  mutating func insert(_ id: Bytes32, createdAt: Int64, now: Int64) -> Outcome {
    let minute = createdAt / 60
    if minutes[minute]?.contains(id) ?? false { return .seen }
    if held >= Self.maximumHeld { forget(before: now - Self.freshness - Self.toleratedStep) }
    guard held < Self.maximumHeld else { return .full }
    if minutes[minute] == nil { forget(before: now - Self.freshness - Self.toleratedStep) }
    minutes[minute, default: []].insert(id)
    held += 1
    return .new
  }

  /// Puts back what was taken before a restart.
  public mutating func restore(_ id: Bytes32, createdAt: Int64) {
    guard held < Self.maximumHeld, minutes[createdAt / 60, default: []].insert(id).inserted else { return }
    held += 1
  }

  // By division: a time from a log may be the latest there is, and its minute's end would not fit.
  private mutating func forget(before time: Int64) {
    for (minute, ids) in minutes where minute < (time - 1) / 60 {
      held -= ids.count
      minutes[minute] = nil
    }
  }
}
