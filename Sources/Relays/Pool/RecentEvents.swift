internal import Curve
internal import Encodings
internal import Nostr

/// The last events that were met, bounded: the oldest makes room.
///
/// Nothing here is verified yet, so an event counts as met with all it holds together: a copy that differs anywhere, made by whoever
/// saw the event before us, does not keep the real one out. The digest is keyed anew in each process: nobody can aim at it.
struct RecentEvents {
  private let limit: Int
  private var known: Set<Int> = []
  private var order: [Int] = []
  private var next = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// - Returns: false when the event was met before.
  mutating func insert(_ event: Event) -> Bool {
    let key = Self.digest(of: event)
    guard known.insert(key).inserted else { return false }
    guard order.count >= limit else {
      order.append(key)
      return true
    }
    known.remove(order[next])
    order[next] = key
    next = (next + 1) % limit
    return true
  }

  private static func digest(of event: Event) -> Int {
    var hasher = Hasher()
    hasher.combine(event.id)
    hasher.combine(event.pubkey)
    hasher.combine(event.createdAt)
    hasher.combine(event.kind)
    hasher.combine(event.tags)
    hasher.combine(event.content)
    hasher.combine(event.signature)
    return hasher.finalize()
  }
}
