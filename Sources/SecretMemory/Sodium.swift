import CSodium

/// libsodium, initialised once for the process.
enum Sodium {
  /// False only when the system has no source of randomness; nothing may be made then.
  static let isReady = sodium_init() >= 0
}
