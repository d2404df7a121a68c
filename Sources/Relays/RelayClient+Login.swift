package import Curve
import Encodings
package import Nostr
import Platform
import RelayConversations
package import Sockets

/// Login to a relay (NIP-42).
extension RelayClient {
  /// Whether a refusal asks for a login, by its prefix (NIP-42).
  package static func wantsLogin(_ refusal: String) -> Bool { RelayConversation.wantsLogin(refusal) }

  /// Answers the relay's challenge.
  /// - Parameter sign: makes and signs the login event; nil to give up.
  /// - Returns: whether the relay accepted the login.
  @discardableResult package func logIn(
    to relay: WebSocketURL, milliseconds: Int, _ sign: ((PublicKey) -> UnsignedEvent) -> Event?
  ) -> Bool {
    conversation.logIn(milliseconds: milliseconds) { challenge in
      sign { NIP42.event(relay: relay.text, challenge: challenge, author: $0, now: Clock.seconds) }
    }
  }
}

extension RelayClient {
  /// The longest text of a relay that is kept, in bytes.
  static let longestText = 200

  /// A relay's text, safe to show: printable ASCII, at most 200 bytes, and no command that would pass for one that we suggest.
  package static func shown(_ text: String) -> String {
    let bytes = text.utf8.prefix(longestText).map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self).withoutCommands()
  }
}
