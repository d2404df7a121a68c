/// Which of the identities' keys may be in memory. Each state leaves fewer than the one before.
enum KeyLock: Comparable {
  /// All of them.
  case open
  /// Only those that are kept through locks.
  case locked
  /// None.
  case shut
}
