import Encodings
package import Nostr
import Platform

/// Login to a relay (NIP-42).
extension RelayConversation {
  /// Whether a refusal asks for a login, by its prefix (NIP-42).
  package static func wantsLogin(_ refusal: String) -> Bool {
    refusal.hasPrefix("auth-required:") || refusal.hasPrefix("restricted:")
  }

  /// The relay's last challenge, which is the valid one. Waits for the first one.
  package func challenge(milliseconds: Int) -> String? {
    let first: String? = wait(milliseconds: milliseconds) { if case .auth(let challenge) = $0 { challenge } else { nil } }
    guard first != nil else { return nil }
    return all { if case .auth(let challenge) = $0 { challenge } else { nil } }.last
  }

  /// Answers the relay's challenge.
  /// - Parameter sign: makes and signs the login event for a challenge; nil to give up.
  /// - Returns: whether the relay accepted the login.
  package func logIn(milliseconds: Int, _ sign: (_ challenge: String) -> Event?) -> Bool {
    guard let challenge = challenge(milliseconds: milliseconds), challenge.utf8.count <= NIP42.longestChallenge,
      let event = sign(challenge)
    else { return false }
    say(.auth(event))
    return wait(milliseconds: milliseconds) { message in
      if case .ok(event.id, let isTaken, _) = message { isTaken } else { nil }
    } ?? false
  }

  /// Publishes an event, with a login where the relay wants one.
  /// - Parameter logIn: logs in on this conversation, and says whether the relay accepted that.
  /// - Returns: whether the relay took the event.
  package func publish(_ event: Event, milliseconds: Int, loggingIn logIn: () -> Bool) -> Bool {
    guard let answer = publish(event, milliseconds: milliseconds) else { return false }
    guard !answer.isTaken, Self.wantsLogin(answer.text), logIn() else { return answer.isTaken }
    return publish(event, milliseconds: milliseconds)?.isTaken ?? false
  }
}
