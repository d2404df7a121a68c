import Ciphers
import Curve
public import Encodings
import SecretMemory

/// The ids of requests that were taken, so that none is taken twice: from several relays, by a replay, or after a restart.
///
/// Ids older than the freshness window are let go, because such an event is refused for its age. The owner of this value puts
/// the ids of the audit log's last entries in at start-up, and again when the clock was set back.
public struct SeenEvents: Sendable {
  /// How far an event's time may be from ours, in seconds, either way.
  public static let freshness: Int64 = 300
  /// How far a clock may be set back, in seconds, before `restore` is needed: ids are held that much longer.
  public static let toleratedStep: Int64 = 2
  /// The most ids held: those of 13,000 requests a second, in 45 to 90 MiB. Beyond it, new requests are refused rather than old ids
  /// forgotten.
  public static let maximumHeld = 1 << 22
  /// Ids are kept, and let go, by so many seconds of their events' times.
  static let sliceLength: Int64 = 16

  private struct Slice: Sendable {
    var marks = MarkTable()
    /// How many of them came to each of our keys.
    var shares: [PublicKey: Int] = [:]
  }

  private var slices: [Int64: Slice] = [:]
  private var held = 0
  /// Some ids of this slice and of those before are missing, because there was no space for them at the restore.
  private var lastIncomplete: Int64?
  private var shares: [PublicKey: Int] = [:]
  /// The latest time of an event whose id was put back; the earliest there is where none was.
  private(set) var latestRestored = Int64.min
  let key: SeenKey
  private let limit: Int

  /// No ids yet.
  /// - Parameters:
  ///   - key: what ids are marked under.
  ///   - limit: the most ids held.
  public init(key: SeenKey = .random(), limit: Int = maximumHeld) { (self.key, self.limit) = (key, limit) }

  /// How many ids are held.
  public var count: Int { held }

  enum Outcome { case new, seen, full }

  /// Checks and remembers in one step.
  ///
  /// Half of the places are open to everybody. In the other half each of our keys has only its share, so that one app's
  /// flood does not keep all others out.
  /// - Parameter owner: our key that the event came to.
  mutating func insert(_ id: Bytes32, createdAt: Int64, to owner: PublicKey, now: Int64) -> Outcome {
    let (slice, mark) = (Self.slice(of: createdAt), key.mark(of: id))
    if slices[slice]?.marks.contains(mark) ?? false { return .seen }
    if let lastIncomplete, slice <= lastIncomplete { return .full }
    if held >= limit / 2 || slices[slice] == nil { forget(before: now - Self.freshness - Self.toleratedStep) }
    guard held < limit, held < limit / 2 || shares[owner, default: 0] < fairShare(with: owner) else { return .full }
    let index = place(of: slice)
    _ = slices.values[index].marks.insert(mark)
    slices.values[index].shares[owner, default: 0] += 1
    shares[owner, default: 0] += 1
    held += 1
    return .new
  }

  /// Where a slice is. An empty one is made if there is none.
  private mutating func place(of slice: Int64) -> Dictionary<Int64, Slice>.Index {
    if let index = slices.index(forKey: slice) { return index }
    slices[slice] = Slice()
    return slices.index(forKey: slice)!  // it was just put in
  }

  /// Whether the id is held.
  func contains(_ id: Bytes32, createdAt: Int64) -> Bool {
    slices[Self.slice(of: createdAt)]?.marks.contains(key.mark(of: id)) ?? false
  }

  /// Restores an id from before a restart. If there is no space for all, those of the latest times are held, and an event of an
  /// earlier one is refused.
  public mutating func restore(_ id: Bytes32, createdAt: Int64) { restore(marked: key.mark(of: id), createdAt: createdAt) }

  /// The same by an id's mark under this key.
  mutating func restore(marked mark: UInt64, createdAt: Int64) {
    latestRestored = max(latestRestored, createdAt)
    let slice = Self.slice(of: createdAt)
    while held >= limit, !(lastIncomplete.map { slice <= $0 } ?? false) { letGoOfOldest(before: slice) }
    guard held < limit, slices[slice, default: Slice()].marks.insert(mark) else { return }
    held += 1
  }

  // With as many keys as there are, and one that may come.
  private func fairShare(with owner: PublicKey) -> Int { limit / (shares.count + (shares[owner] == nil ? 2 : 1)) }

  private static func slice(of time: Int64) -> Int64 { time >> sliceLength.trailingZeroBitCount }  // downwards, before 1970 too

  /// Frees space for an id of a slice: the oldest slice is dropped, or that id is not taken.
  private mutating func letGoOfOldest(before slice: Int64) {
    let oldest = slices.keys.min() ?? slice
    // Ids of an earlier slice may have come since.
    lastIncomplete = max(lastIncomplete ?? .min, min(oldest, slice))
    if oldest < slice { letGo(oldest) }
  }

  private mutating func letGo(_ slice: Int64) {
    guard let gone = slices.removeValue(forKey: slice) else { return }
    held -= gone.marks.count
    for (owner, count) in gone.shares {
      let left = shares[owner, default: 0] - count
      shares[owner] = left > 0 ? left : nil
    }
  }

  // By division: a time from a log may be the latest there is, and its slice's end would not fit.
  private mutating func forget(before time: Int64) {
    for slice in slices.keys where slice < Self.slice(of: time - 1) { letGo(slice) }
  }
}

/// The key under which ids of events are marked. Without it nobody learns anything from the marks or can choose ids that collide.
public struct SeenKey: Sendable {
  /// Length in bytes.
  public static let length = SipHash.keyLength
  private let hash: SipHash

  /// - Returns: nil unless there are exactly 16 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard let hash = SipHash(key: bytes) else { return nil }
    self.hash = hash
  }

  /// A new one.
  public static func random() -> SeenKey { SeenKey(SystemRandom.bytes(length))! }  // of the right length

  /// The mark of an event's id.
  public func mark(of id: Bytes32) -> UInt64 { hash.hash(of: id) }

  /// The short name for the request of an event: 8 hex digits that nobody can predict or choose without the key.
  /// - Parameter attempt: another number gives another name.
  func requestName(of id: Bytes32, attempt: UInt64) -> String {
    var digits = id
    // Not the mark of the id itself, of which a name would tell half.
    digits.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: bytes.loadUnaligned(as: UInt64.self) ^ ~attempt, as: UInt64.self)
    }
    return withUnsafeBytes(of: UInt32(truncatingIfNeeded: hash.hash(of: digits))) { Hex.encode($0) }
  }
}
