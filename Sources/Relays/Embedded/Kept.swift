import Encodings
import Nostr

/// The stored events: the signer's answers, and separately what others sent, so that the latter cannot displace answers.
struct Kept {
  /// The result of an insertion: stored; sent to current subscribers only, because the recipients' space is used up; or already
  /// known.
  enum Insertion { case kept, passedOn, known }

  private var answers = KeptEvents()
  private var others = KeptEvents()

  var count: Int { answers.count + others.count }

  func contains(_ id: Bytes32) -> Bool { answers.contains(id) || others.contains(id) }

  /// - Parameters:
  ///   - isAnswer: whether the signer made it.
  ///   - now: seconds.
  mutating func insert(_ event: Event, recipients: [Bytes32], isAnswer: Bool, now: Int64, limits: RelayLimits) -> Insertion {
    dropOld(now: now, limits: limits)
    guard !contains(event.id) else { return .known }
    if isAnswer {
      answers.insert(event, recipients: recipients, now: now, limits: limits)
      return .kept
    }
    guard others.hasRoom(for: event, recipients, limits) else { return .passedOn }
    others.insert(event, recipients: recipients, now: now, limits: limits)
    return .kept
  }

  mutating func dropOld(now: Int64, limits: RelayLimits) {
    answers.dropOld(now: now, limits: limits)
    others.dropOld(now: now, limits: limits)
  }

  /// How many comparisons `matching` may take, at most.
  func steps(_ filters: [Filter]) -> Int { answers.steps(filters) + others.steps(filters) }

  /// The events that match a filter: answers before others, newest first, within each filter's `limit`.
  /// - Parameter bytes: the most bytes in all. Further events are left out.
  func matching(_ filters: [FilterMatcher], bytes: Int) -> [Event] {
    var (found, ids, left): ([Event], Set<Bytes32>, Int) = ([], [], bytes)
    for filter in filters {
      let matching = (answers.matching(filter) + others.matching(filter)).prefix(filter.filter.limit ?? .max)
      for event in matching where ids.insert(event.id).inserted {
        left -= KeptEvents.size(of: event)
        guard left >= 0 else { return found }
        found.append(event)
      }
    }
    return found
  }
}
