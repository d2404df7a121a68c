/// How much an app may do without the owner being asked.
public enum TrustLevel: String, Sendable, CaseIterable {
  /// Everything but spending: wallet kinds are asked each time.
  case full
  /// Everything but the kinds that replace or delete what others built on, and wallet kinds.
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
}
