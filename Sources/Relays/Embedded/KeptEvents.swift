internal import Encodings
internal import Nostr

/// The events of the last ten minutes, bounded in number and bytes.
struct KeptEvents {
  struct Kept {
    let event: Event
    let recipients: [String]
    let json: [UInt8]
    let arrivedAt: Int64
  }

  private let limits: RelayLimits
  private var order: [Kept] = []
  private var head = 0
  private var bytes = 0
  private var ids: Set<Bytes32> = []

  init(_ limits: RelayLimits) { self.limits = limits }

  var count: Int { order.count - head }

  func contains(_ id: Bytes32) -> Bool { ids.contains(id) }

  mutating func insert(_ kept: Kept) {
    ids.insert(kept.event.id)
    order.append(kept)
    bytes += kept.json.count
    prune(now: kept.arrivedAt)
  }

  /// What matches a filter, oldest first, at most its limit (the newest then).
  func matching(_ filter: Filter, now: Int64) -> [Kept] {
    let limit = filter.limit ?? .max
    guard limit > 0 else { return [] }
    let fresh = order[head...].lazy.filter { now - $0.arrivedAt <= limits.keptSeconds && filter.matches($0.event) }
    return Array(fresh.suffix(limit))
  }

  mutating func prune(now: Int64) {
    while head < order.count,
      now - order[head].arrivedAt > limits.keptSeconds || count > limits.keptEvents || bytes > limits.keptBytes
    {
      bytes -= order[head].json.count
      ids.remove(order[head].event.id)
      head += 1
    }
    guard head > 1024, head > order.count / 2 else { return }
    order.removeFirst(head)
    head = 0
  }
}
