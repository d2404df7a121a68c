internal import Curve
internal import Encodings
internal import Nostr

/// The last events that were met, bounded: the oldest makes room.
///
/// Nothing here is verified yet, so an event counts as met with its id and its signature together: a copy with another signature, made
/// by whoever saw the event before us, does not keep the real one out.
struct RecentEvents {
  private struct Key: Hashable {
    let id: Bytes32
    let signature: Signature
  }

  private let limit: Int
  private var known: Set<Key> = []
  private var order: [Key] = []
  private var next = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// - Returns: false when the event was met before.
  mutating func insert(_ event: Event) -> Bool {
    let key = Key(id: event.id, signature: event.signature)
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
}
