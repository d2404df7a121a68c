import Curve
import Encodings
import Nostr

/// The most recent events, limited in number. A new one replaces the oldest.
///
/// Nothing here is verified yet. An event is therefore known by all its content: a copy that differs anywhere, made by somebody
/// who saw the event before us, does not suppress the real one. The digest has a new random key in each process, so nobody can
/// construct a collision.
struct RecentEvents {
  private let limit: Int
  private var known: Set<Int> = []
  private var order: [Int] = []
  private var next = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// - Returns: false when the event is already known.
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
