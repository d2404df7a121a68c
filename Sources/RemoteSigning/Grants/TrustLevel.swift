import Nostr

/// How much an app may do without the owner being asked.
public enum TrustLevel: String, Sendable, CaseIterable {
  /// Allows everything except money, a new payment address in the profile, erasing, handling of the key, and web logins, which are asked.
  /// Notes whose zaps go to others (NIP-57) are allowed.
  case full
  /// Allows the kinds that the table calls usual, private messages, and logins to known relays; nothing that full trust asks.
  case medium
  /// Allows nothing: each request for a signature, an encryption or a decryption is asked.
  case low
}

/// Event kinds whose content the rules look into. How careful they are with each kind is in `KindTable`.
public enum GuardedKinds {
  /// Logging in to a website (NIP-98): asked under every trust level, remembered for one address and a week at most.
  public static let webLogin = EventKind.httpLogin
  /// Logging in to a relay (NIP-42): remembered for one relay.
  public static let relayLogin = EventKind.relayLogin
  /// Logging in to a file server (Blossom): remembered for what is to be done, perhaps at one server, a week at most.
  public static let fileLogin = 24242
  /// A key names its successor (docs/ROTATION.md): asked each time, whatever was granted.
  public static let succession = 8041
  /// Asking relays to erase everything (NIP-62): asked each time.
  public static let vanish = 62
  /// The follow list (NIP-02).
  public static let follows = EventKind.follows
}
