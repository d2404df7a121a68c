package import Curve
import Encodings
package import Nostr
import Platform
package import Sockets

/// Telling a relay who one is (NIP-42).
extension RelayClient {
  /// Whether a relay's refusal may be another one after a login: the prefixes of NIP-42.
  package static func wantsLogin(_ refusal: String) -> Bool {
    refusal.hasPrefix("auth-required:") || refusal.hasPrefix("restricted:")
  }

  /// Answers the relay's challenge.
  /// - Parameter sign: makes the event of an author, and signs it; nil to leave it.
  /// - Returns: whether the relay took it.
  @discardableResult package func logIn(
    to relay: WebSocketURL, milliseconds: Int, _ sign: ((PublicKey) -> UnsignedEvent) -> Event?
  ) -> Bool {
    guard let challenge = challenge(milliseconds: milliseconds), challenge.utf8.count <= NIP42.longestChallenge,
      let event = sign({ NIP42.event(relay: relay.text, challenge: challenge, author: $0, now: Clock.seconds) })
    else { return false }
    say(.auth(event))
    return wait(milliseconds: milliseconds) { message in
      if case .ok(event.id, let isTaken, _) = message { isTaken } else { nil }
    } ?? false
  }
}

extension RelayClient {
  /// A relay's text fit to show: printable ASCII, at most 200 bytes.
  package static func shown(_ text: String) -> String {
    String(decoding: text.utf8.prefix(200).map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x3F }, as: UTF8.self)
  }
}
