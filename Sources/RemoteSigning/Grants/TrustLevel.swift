/// How much an app may do without the owner being asked.
public enum TrustLevel: String, Sendable, CaseIterable {
  /// Everything but spending and web logins, which are asked.
  case full
  /// Everything but the kinds that replace or delete what others built on, logins to unknown relays, and what full trust asks.
  case medium
  /// Nothing: each request for a signature, an encryption or a decryption is asked.
  case low
}

/// Event kinds that need more care than others.
public enum GuardedKinds {
  /// Asked under medium trust: profile, follow list, deletion, relay list, application data.
  public static let protected: Set<Int> = [0, 3, 5, 10002, 30078]
  /// Asked under every trust level, and never allowed for good: cashu wallet and tokens (NIP-60).
  public static let wallet: Set<Int> = [7375, 17375]
  /// Logging in to a website (NIP-98): asked under every trust level, remembered for one address and a week at most.
  public static let webLogin = 27235
  /// Logging in to a relay (NIP-42): remembered for one relay.
  public static let relayLogin = 22242
  /// Both logins.
  public static let logins: Set<Int> = [webLogin, relayLogin]
  /// A key names its successor (docs/ROTATION.md): asked each time, whatever was granted.
  public static let succession = 8041
  /// The follow list (NIP-02).
  public static let follows = 3
}
