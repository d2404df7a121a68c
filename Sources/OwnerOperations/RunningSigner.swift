package import Curve
package import Guardians
import Nostr
package import Notifications
package import OwnerAPI
import Platform
package import RemoteSigning
package import Signer
package import Sockets

/// What an operation needs of the running daemon.
package struct RunningSigner: Sendable {
  /// What operations need of the relays and of the console.
  package struct Connections: Sendable {
    let greet: @Sendable (NostrConnectURI, KeyPair) -> Void
    let whenListening: @Sendable ([RelayURL], @escaping @Sendable ([RelayURL]) -> Void) -> Void
    let linkRelays: @Sendable () -> [RelayURL]
    let signInLink: @Sendable (_ uid: UInt32?) -> (url: String, expires: Int64)?
    let isConsoleHere: @Sendable () -> Bool
    let listenAnew: @Sendable (WebSocketURL) -> Void

    /// - Parameters:
    ///   - greet: subscribes on the relays of a new `nostrconnect://` pairing, then answers the app there.
    ///   - whenListening: calls back once each of these relays has subscribed the present keys, with those that have not after a
    ///     while.
    ///   - linkRelays: the relays of a new link if the owner named none.
    ///   - signInLink: a link that signs in to the console once, and when it expires in seconds since 1970. With a user's number, the
    ///     link is for browsers of that user on this machine only.
    ///   - isConsoleHere: whether browsers of this machine connect to the console itself, and not to a server before it.
    ///   - listenAnew: asks a relay again for the requests of the last minutes.
    package init(
      greet: @escaping @Sendable (NostrConnectURI, KeyPair) -> Void,
      whenListening: @escaping @Sendable ([RelayURL], @escaping @Sendable ([RelayURL]) -> Void) -> Void,
      linkRelays: @escaping @Sendable () -> [RelayURL],
      signInLink: @escaping @Sendable (_ uid: UInt32?) -> (url: String, expires: Int64)?,
      isConsoleHere: @escaping @Sendable () -> Bool,
      listenAnew: @escaping @Sendable (WebSocketURL) -> Void
    ) {
      (self.greet, self.whenListening, self.linkRelays) = (greet, whenListening, linkRelays)
      (self.signInLink, self.isConsoleHere) = (signInLink, isConsoleHere)
      self.listenAnew = listenAnew
    }
  }

  private let service: SigningService
  private let connections: Connections
  /// Web Push. Nil if nothing is sent.
  let pushes: PushService?
  /// Messages between owners and guardians. Nil if no relay is connected.
  let guardians: GuardianService?
  /// Moves a trial into a vault of the owner's. Nil unless this is a trial.
  let keeping: TrialKeeping?
  /// What `status` adds: relays, counts, times.
  let report: @Sendable () -> RunningStatus?

  package init(
    _ service: SigningService, _ connections: Connections, pushes: PushService?, guardians: GuardianService?,
    keeping: TrialKeeping? = nil, report: @escaping @Sendable () -> RunningStatus?
  ) {
    (self.service, self.connections, self.report) = (service, connections, report)
    (self.pushes, self.guardians, self.keeping) = (pushes, guardians, keeping)
  }

  /// Records the owner's answer to the waiting request with that name and carries it out.
  /// - Parameter key: the key for this one use, if the identity needs presence.
  /// - Returns: false if no such request waits, or if it stays waiting because its key is not available.
  func answer(_ name: String, approve: Bool, key: KeyPair?, via channel: OwnerChannel) -> Bool {
    service.answer(name, approve: approve, key: key, via: channel)
  }

  /// What became of an approved request; nil for one that is forgotten.
  func course(of name: String) -> ApprovedRequests.Course? { service.approved.course(of: name) }

  /// Carries out waiting requests of a pairing that its changed rules decide now.
  /// - Returns: the names of those requests.
  func reconsider(_ remoteSigner: PublicKey) -> [String] { service.reconsider(remoteSigner) }

  /// Takes a request that a relay has, and checks it as if the relay had delivered it.
  func take(_ event: Event, from relay: WebSocketURL) {
    service.take(event, from: .relay(relay, arrived: Clock.monotonicNanoseconds), isVerified: false)
  }

  /// Asks a relay again for the requests of the last minutes.
  func listenAnew(at relay: WebSocketURL) { connections.listenAnew(relay) }

  /// Subscribes on the relays of a new `nostrconnect://` pairing, then answers the app there.
  func greet(_ uri: NostrConnectURI, signer: KeyPair) { connections.greet(uri, signer) }

  /// Calls `ready` once each of these relays has subscribed the present keys, with those that have not after a while.
  func whenListening(on relays: [RelayURL], _ ready: @escaping @Sendable (_ deaf: [RelayURL]) -> Void) {
    connections.whenListening(relays, ready)
  }

  /// The relays of a new link if the owner named none.
  var linkRelays: [RelayURL] { connections.linkRelays() }

  /// A link that signs in to the console once, and when it expires in seconds since 1970.
  /// - Parameter uid: the one user of this machine whose browser it signs in. Nil for any browser.
  func signInLink(for uid: UInt32?) -> (url: String, expires: Int64)? { connections.signInLink(uid) }

  /// Whether browsers of this machine connect to the console itself, and not to a server before it.
  var isConsoleHere: Bool { connections.isConsoleHere() }
}
