internal import Encodings
internal import Nostr

/// What the relay keeps: the signer's answers, and apart from them what others sent, so that these take no room from those.
struct Kept {
  /// What became of an event: kept; for those who listen now only, because its recipients have no room; or known already.
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

  /// The events that match a filter, answers before others, the newest first, each filter's `limit` observed.
  /// - Parameter bytes: what they may weigh in all; what is beyond is left out.
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
