import Nostr

extension SignedCoordinate {
  /// The same, closed up to that time: nothing else of that time or before is signed. For records from a backup, which do
  /// not know later signatures, and for places that the owner reset.
  /// - Parameter time: seconds since 1970.
  public func closed(upTo time: Int64) -> SignedCoordinate {
    var copy = self
    copy.floor = max(floor ?? time, time)
    return copy
  }

  /// Forgets dates ahead from versions that did not ask about them: an app could close the place for good, or put a follow list there that
  /// no later one replaces.
  /// - Parameter now: seconds since 1970, by a clock that is known to be right.
  /// - Returns: whether anything was forgotten.
  public mutating func heal(now: Int64) -> Bool {
    guard !isBounded else { return false }
    isBounded = true
    let before = self
    signatures.removeAll { SigningTime.isAhead($0.createdAt, of: now) }
    if let floor, SigningTime.isAhead(floor, of: now, by: SigningTime.closedLead) { self.floor = now }
    if let latest, SigningTime.isAhead(latest.createdAt, of: now) { forget(latest) }
    return self != before
  }

  // What drops are counted from may be older and honest: then it stays.
  private mutating func forget(_ event: EventTemplate) {
    latest = nil
    if reference?.follows.keys == FollowList(tags: event.tags).keys { reference = nil }
  }
}
