/// Which of the identities' keys may be in memory. Each state allows fewer keys than the one before.
enum KeyLock: Comparable {
  /// The keys of all identities.
  case open
  /// Only the keys that stay in memory while the session is locked.
  case locked
  /// No key, because the signer is locked down.
  case shut
}
