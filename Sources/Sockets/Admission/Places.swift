/// Tracks which connections have a place, and chooses which one to close for a new one when all places are taken.
///
/// A useful connection keeps its place. All others are strangers. The holder with the most strangers loses its oldest one. If two
/// holders have the same number, the holder of the oldest stranger loses it. Whether a connection is useful is asked only when a
/// place is needed, not at each message.
package final class Places<ID: Hashable> {
  /// How useful a connection is.
  package enum Use {
    /// Not useful as far as we know: a stranger.
    case none
    /// Useful for a short time only.
    case passing
    case lasting
  }

  /// The limits.
  package struct Limits: Sendable {
    let places: Int
    let strangersPerHolder: Int

    /// All places, and how many of them one holder's strangers may have.
    package init(places: Int, strangersPerHolder: Int) {
      (self.places, self.strangersPerHolder) = (places, strangersPerHolder)
    }
  }

  /// The answer to a new connection.
  package enum Room {
    case free
    /// Close this connection first.
    case instead(of: ID)
    case none
  }

  private struct Place {
    var holder: Holder
    var number: UInt64
    var state: State
    enum State { case stranger, ofUse, leaving }
  }

  private final class Party {
    var queue: [(id: ID, number: UInt64)] = []
    var head = 0
    var strangers = 0
  }

  /// Milliseconds until useful connections are asked again.
  private let askedAgainAfter: Int64 = 1_000
  /// Queue entries that may be outdated.
  private let untidy = 64

  private var places: [ID: Place] = [:]
  private var parties: [Holder: Party] = [:]
  private var lastNumber: UInt64 = 0
  private var leaving = 0
  private var askedAgain: Int64?

  package init() {}

  /// Places taken, without those whose connections are being closed.
  package var count: Int { places.count - leaving }

  package func has(_ id: ID) -> Bool { places[id] != nil }

  /// Takes a place. Call `room` first.
  package func enter(_ id: ID, _ holder: Holder) {
    lastNumber += 1
    places[id] = Place(holder: holder, number: lastNumber, state: .stranger)
    queue(id, lastNumber, holder)
  }

  package func leave(_ id: ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    if place.state == .leaving { leaving -= 1 }
    if place.state == .stranger { removeStranger(of: place.holder) }
  }

  /// Counts a connection for another holder, once its real holder is known.
  package func move(_ id: ID, to holder: Holder) {
    guard let place = places[id], place.holder != holder else { return }
    lastNumber += 1
    places[id]?.holder = holder
    places[id]?.number = lastNumber
    guard place.state == .stranger else { return }
    removeStranger(of: place.holder)
    queue(id, lastNumber, holder)
  }

  /// Marks a connection as closing. Its place counts as free from now on.
  package func dismiss(_ id: ID) {
    guard let place = places[id], place.state != .leaving else { return }
    places[id]?.state = .leaving
    leaving += 1
    if place.state == .stranger { removeStranger(of: place.holder) }
  }

  /// - Parameters:
  ///   - now: milliseconds of a clock that never goes back.
  ///   - use: asked about each connection that might have to be closed.
  package func room(for holder: Holder, _ limits: Limits, now: Int64, use: (ID) -> Use) -> Room {
    if (parties[holder]?.strangers ?? 0) >= limits.strangersPerHolder, let first = oldestStranger(of: holder, use) {
      dismiss(first)
      return .instead(of: first)
    }
    guard count >= limits.places else { return .free }
    var stranger = anyStranger(use)
    if stranger == nil, askedAgain.map({ now - $0 >= askedAgainAfter }) ?? true {
      askedAgain = now
      countAllAsStrangers()
      stranger = anyStranger(use)
    }
    guard let stranger else { return .none }
    dismiss(stranger)
    return .instead(of: stranger)
  }

  // MARK: strangers

  private func anyStranger(_ use: (ID) -> Use) -> ID? {
    var asked: Set<Holder> = []
    while let holder = largest(without: asked) {
      if let found = oldestStranger(of: holder, use) { return found }
      asked.insert(holder)
    }
    return nil
  }

  private func largest(without asked: Set<Holder>) -> Holder? {
    var most = 0
    var found: Holder?
    for (holder, party) in parties where party.strangers >= most && (asked.isEmpty || !asked.contains(holder)) {
      if party.strangers == most, let found, firstNumber(of: found) < firstNumber(of: holder) { continue }
      (most, found) = (party.strangers, holder)
    }
    return found
  }

  private func firstNumber(of holder: Holder) -> UInt64 {
    guard let party = parties[holder] else { return .max }
    while party.head < party.queue.count, !isStranger(party.queue[party.head], of: holder) { party.head += 1 }
    return party.head < party.queue.count ? party.queue[party.head].number : .max
  }

  /// Asks about each stranger once. A useful one is no longer a stranger, and one that is useful for a short time goes to the end
  /// of the queue.
  private func oldestStranger(of holder: Holder, _ use: (ID) -> Use) -> ID? {
    guard let party = parties[holder] else { return nil }
    var left = party.strangers
    while left > 0, let next = takeFirst(of: party, holder) {
      left -= 1
      switch use(next.id) {
      case .none: return next.id
      case .passing: append(next, to: party, holder)
      case .lasting:
        places[next.id]?.state = .ofUse
        removeStranger(of: holder)
      }
    }
    return nil
  }

  private func takeFirst(of party: Party, _ holder: Holder) -> (id: ID, number: UInt64)? {
    while party.head < party.queue.count {
      let next = party.queue[party.head]
      party.head += 1
      if isStranger(next, of: holder) { return next }
    }
    return nil
  }

  private func isStranger(_ entry: (id: ID, number: UInt64), of holder: Holder) -> Bool {
    guard let place = places[entry.id] else { return false }
    return place.number == entry.number && place.holder == holder && place.state == .stranger
  }

  private func queue(_ id: ID, _ number: UInt64, _ holder: Holder) {
    let party = parties[holder] ?? Party()
    parties[holder] = party
    party.strangers += 1
    append((id, number), to: party, holder)
  }

  private func append(_ entry: (id: ID, number: UInt64), to party: Party, _ holder: Holder) {
    party.queue.append(entry)
    guard party.queue.count > 2 * party.strangers + untidy else { return }
    party.queue = party.queue[party.head...].filter { isStranger($0, of: holder) }
    party.head = 0
  }

  private func removeStranger(of holder: Holder) {
    guard let party = parties[holder] else { return }
    party.strangers -= 1
    if party.strangers == 0 { parties[holder] = nil }
  }

  private func countAllAsStrangers() {
    let known = places.filter { $0.value.state == .ofUse }.sorted { $0.value.number < $1.value.number }
    for (id, place) in known {
      places[id]?.state = .stranger
      queue(id, place.number, place.holder)
    }
  }
}
