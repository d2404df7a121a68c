internal import Encodings

/// The last ids that were met, bounded: the oldest makes room.
struct RecentIDs {
  private let limit: Int
  private var known: Set<Bytes32> = []
  private var order: [Bytes32] = []
  private var next = 0

  init(limit: Int) { self.limit = limit }

  /// - Returns: false when the id was met before.
  mutating func insert(_ id: Bytes32) -> Bool {
    guard known.insert(id).inserted else { return false }
    guard order.count >= limit else {
      order.append(id)
      return true
    }
    known.remove(order[next])
    order[next] = id
    next = (next + 1) % limit
    return true
  }
}
