import Encodings

/// The last ids of a kind, a bounded number of them: the oldest goes when a new one comes.
struct RecentIDs: Sendable {
  /// The most ids held; 128 KiB.
  static let maximumHeld = 4096

  private var held: Set<Bytes32> = []
  private var order: [Bytes32] = []
  private var oldest = 0

  func contains(_ id: Bytes32) -> Bool { held.contains(id) }

  /// - Returns: false when the id is held already.
  mutating func insert(_ id: Bytes32) -> Bool {
    guard held.insert(id).inserted else { return false }
    if order.count < Self.maximumHeld {
      order.append(id)
    } else {
      held.remove(order[oldest])
      order[oldest] = id
      oldest = (oldest + 1) % Self.maximumHeld
    }
    return true
  }
}
