/// An answer that is longer than NIP-44 could carry before 2026. Newer libraries read it (nostr-tools since 2.23.8); rust-nostr 0.45.1
/// and older do not, and their apps wait until they give up.
public struct LongAnswer: Hashable, Sendable {
  /// The longest text in the older form, in bytes.
  public static let longestShort = 65_535

  /// Its length before encryption, in bytes.
  public let bytes: Int
  /// When it was sent, seconds since 1970.
  public let at: Int64

  /// With both parts.
  public init(bytes: Int, at: Int64) { (self.bytes, self.at) = (bytes, at) }
}
