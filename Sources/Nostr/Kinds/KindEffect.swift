/// What signing an event of a kind does. The raw values are the words used everywhere.
public enum KindEffect: String, Sendable, CaseIterable {
  /// Says something in public or in private, as a note or a message does.
  case ordinary
  /// Replaces a list.
  case list
  /// Replaces how others see or reach the author.
  case profile
  /// Logs the author in somewhere.
  case login
  /// Spends money, holds it, or says where it goes.
  case money
  /// Deletes published events, or removes people.
  case destruction
  /// Acts for the key itself: names its successor, or signs in its name elsewhere.
  case keyHandling = "key-handling"
  /// The effect is not known.
  case unknown
}

/// How careful the rules are with a kind, the least first.
public enum KindCare: Int, Sendable, CaseIterable, Comparable {
  /// Medium trust signs it without asking.
  case usual
  /// Medium trust asks; full trust does not.
  case guarded
  /// A login: allowed for one place.
  case byPlace
  /// Every trust asks. The owner may allow it by its number, for a day at most.
  case dayAtMost
  /// Every trust asks, each time.
  case eachTime

  /// By how careful they are.
  public static func < (left: KindCare, right: KindCare) -> Bool { left.rawValue < right.rawValue }
}
