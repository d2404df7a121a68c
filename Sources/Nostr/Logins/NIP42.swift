public import Curve
import Encodings

/// Login to a relay by a signed event that answers its challenge (NIP-42).
public enum NIP42 {
  /// Seconds that `created_at` may differ from the relay's clock, either way.
  public static let standardWindow: Int64 = 600

  /// Bytes of a challenge that is answered; a longer one is a text that somebody wants signed.
  public static let longestChallenge = 1024

  /// The answer to a challenge, not yet signed.
  /// - Parameters:
  ///   - relay: the URL as it was connected to.
  ///   - challenge: the text of the relay's `AUTH` message.
  ///   - now: seconds since 1970.
  public static func event(relay: String, challenge: String, author: PublicKey, now: Int64) -> UnsignedEvent {
    UnsignedEvent(
      pubkey: author, createdAt: now, kind: EventKind.relayLogin, tags: [["relay", relay], ["challenge", challenge]])
  }

  /// Checks an answer.
  /// - Parameters:
  ///   - relays: the URLs this relay is known by; compared as `RelayAddress` writes them.
  ///   - challenge: the one sent on this connection; an empty one matches nothing.
  ///   - now: seconds since 1970.
  /// - Throws: the first fault found; when nothing is thrown, the author has logged in.
  public static func check(
    _ event: Event, relays: [String], challenge: String, now: Int64, window: Int64 = standardWindow
  ) throws(LoginError) {
    guard event.kind == EventKind.relayLogin else { throw .wrongKind(event.kind) }
    let answered = try event.onlyTag("challenge", .challenge)
    guard !challenge.isEmpty, isSame(answered, challenge) else { throw .mismatch(.challenge) }
    let named = RelayAddress.normal(try event.onlyTag("relay", .relay))
    guard let named, relays.contains(where: { RelayAddress.normal($0) == named }) else { throw .mismatch(.relay) }
    try event.checkLogin(kind: EventKind.relayLogin, now: now, window: window)
  }
}
