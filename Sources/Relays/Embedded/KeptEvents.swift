import Curve
import Encodings
import Nostr

/// The events of the last minutes, oldest first, limited in number, bytes and age.
struct KeptEvents {
  private struct Entry {
    let event: Event
    let recipients: [Bytes32]
    let bytes: Int
    let arrived: Int64
  }

  private var entries = Line<Entry>()
  private var byID: [Bytes32: Int] = [:]
  private var byRecipient: [Bytes32: Line<Int>] = [:]
  private var bytesFor: [Bytes32: Int] = [:]
  private var bytes = 0

  var count: Int { entries.count }

  func contains(_ id: Bytes32) -> Bool { byID[id] != nil }

  /// Whether each recipient has space for another event.
  func hasRoom(for event: Event, _ recipients: [Bytes32], _ limits: RelayLimits) -> Bool {
    let size = Self.size(of: event)
    return recipients.allSatisfy { recipient in
      guard let there = bytesFor[recipient], let places = byRecipient[recipient] else { return true }
      return places.count < limits.keptForOneKey && there + size <= limits.keptBytesForOneKey
    }
  }

  /// - Parameters:
  ///   - event: an event that is not stored yet.
  ///   - now: seconds.
  mutating func insert(_ event: Event, recipients: [Bytes32], now: Int64, limits: RelayLimits) {
    let size = Self.size(of: event)
    while entries.count >= max(1, limits.keptEvents) || (bytes + size > limits.keptBytes && entries.count > 0) { dropFirst() }
    byID[event.id] = entries.end
    for recipient in recipients {
      byRecipient[recipient, default: Line()].append(entries.end)
      bytesFor[recipient, default: 0] += size
    }
    entries.append(Entry(event: event, recipients: recipients, bytes: size, arrived: now))
    bytes += size
  }

  mutating func dropOld(now: Int64, limits: RelayLimits) {
    while let first = entries.first, now - first.arrived > limits.keptSeconds { dropFirst() }
  }

  /// The events that match a filter, newest first, within its `limit`.
  func matching(_ matcher: FilterMatcher) -> [Event] {
    let filter = matcher.filter
    let limit = filter.limit ?? .max
    var found: [Event] = []
    for place in candidates(filter) where found.count < limit {
      guard let entry = entries[place], matcher.matches(entry.event) else { continue }
      found.append(entry.event)
    }
    return found
  }

  /// How many comparisons `matching` may take, at most.
  func steps(_ filters: [Filter]) -> Int {
    filters.reduce(0) { sum, filter in
      let events =
        filter.tags["p"].map { values in
          Set(values.compactMap { Bytes32(hex: $0) }).reduce(0) { $0 + (byRecipient[$1]?.count ?? 0) }
        } ?? entries.count
      return sum + events * filter.valueCount
    }
  }

  /// Positions of events that may match, newest first.
  private func candidates(_ filter: Filter) -> [Int] {
    guard let values = filter.tags["p"] else { return Array((entries.start..<max(entries.start, entries.end)).reversed()) }
    let keys = Set(values.compactMap { Bytes32(hex: $0) })
    return Set(keys.flatMap { byRecipient[$0]?.places ?? [] }).sorted(by: >)
  }

  private mutating func dropFirst() {
    guard let entry = entries.removeFirst() else { return }
    bytes -= entry.bytes
    byID[entry.event.id] = nil
    for recipient in entry.recipients {
      _ = byRecipient[recipient]?.removeFirst()
      bytesFor[recipient, default: 0] -= entry.bytes
      if byRecipient[recipient]?.count == 0 { (byRecipient[recipient], bytesFor[recipient]) = (nil, nil) }
    }
  }

  /// The approximate size of the event in memory.
  static func size(of event: Event) -> Int {
    event.tags.reduce(512 + event.content.utf8.count) { sum, tag in tag.reduce(sum + 64) { $0 + $1.utf8.count + 32 } }
  }
}

/// A queue whose elements keep their number when the front is removed.
struct Line<Element> {
  private var elements: [Element?] = []
  private var head = 0
  private(set) var start = 0

  var count: Int { elements.count - head }
  /// The number the next element will have.
  var end: Int { start + count }
  var first: Element? { head < elements.count ? elements[head] : nil }
  var places: [Element] { elements[head...].compactMap { $0 } }

  subscript(place: Int) -> Element? {
    guard place >= start, place < end else { return nil }
    return elements[head + place - start]
  }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      elements[head] = nil
      head += 1
      start += 1
      if head == elements.count || head >= 512 {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }
}
