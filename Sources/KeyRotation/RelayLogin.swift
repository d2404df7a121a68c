package import AuditLog
package import Curve
import Relays
import Signer
import Sockets

/// Logs in to relays that require it (NIP-42), with the key whose events are read or offered. Each login is recorded before it is
/// signed.
package struct RelayLogin: Sendable {
  /// The keys, by the author of the events.
  private let keys: [PublicKey: KeyPair]
  private let log: AuditLog
  private let describe: @Sendable (any Error) -> String

  /// - Parameter describe: says in words why a login could not be recorded.
  package init(_ keys: [PublicKey: KeyPair], recordedIn log: AuditLog, describe: @escaping @Sendable (any Error) -> String) {
    (self.keys, self.log, self.describe) = (keys, log, describe)
  }

  enum Outcome: Equatable {
    case loggedIn
    /// There is no key for the author, or the relay did not accept the login.
    case notTaken
    /// The login could not be recorded, for the reason given, so nothing was signed.
    case notRecorded(String)
  }

  /// Logs in for an author.
  func logIn(_ author: PublicKey, _ connection: RelayClient, to relay: WebSocketURL, milliseconds: Int) -> Outcome {
    guard let key = keys[author] else { return .notTaken }
    var fault: (any Error)?
    let isTaken = connection.logIn(to: relay, milliseconds: milliseconds) { login in
      do { return try log.signing(login(key.publicKey), with: key) } catch {
        fault = error
        return nil
      }
    }
    if let fault { return .notRecorded("no login: " + describe(fault)) }
    return isTaken ? .loggedIn : .notTaken
  }
}
