internal import AuditLog
internal import Curve
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import Signer
internal import Sockets

/// Who says who he is to relays that want to know (NIP-42): the key whose events are read or offered. Each login is recorded before it
/// is signed.
struct RelayLogin: Sendable {
  /// By the author of the events.
  private let keys: [PublicKey: KeyPair]
  private let log: AuditLog

  init(_ keys: [PublicKey: KeyPair], recordedIn log: AuditLog) { (self.keys, self.log) = (keys, log) }

  /// Whether a relay's refusal may be another one after a login: the prefixes of NIP-42.
  static func isWanted(by text: String) -> Bool { text.hasPrefix("auth-required:") || text.hasPrefix("restricted:") }

  enum Outcome: Equatable {
    case loggedIn
    /// There is no key for the author, or the relay did not take the login.
    case notTaken
    /// Nothing was signed, in words.
    case notRecorded(String)
  }

  /// Logs in for an author.
  func logIn(_ author: PublicKey, _ wire: RelayWire, to relay: WebSocketURL, milliseconds: Int) -> Outcome {
    guard let key = keys[author] else { return .notTaken }
    var fault: (any Error)?
    let isTaken = wire.logIn(to: relay, milliseconds: milliseconds) { login in
      do { return try log.signing(login(key.publicKey), with: key) } catch {
        fault = error
        return nil
      }
    }
    if let fault { return .notRecorded("no login: " + OperationError(fault).error) }
    return isTaken ? .loggedIn : .notTaken
  }
}

extension RelayWire {
  /// Answers the relay's challenge.
  /// - Parameter sign: makes the event of an author, and signs it; nil to leave it.
  /// - Returns: whether the relay took it.
  @discardableResult func logIn(
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
