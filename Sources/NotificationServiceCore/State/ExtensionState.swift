public import Curve
public import Encodings
public import RemoteSigning

/// What the app hands to its extension: keys, pairings, rules, and what the rules compare with.
///
/// It is a copy. The app is the one that changes it: it takes over what the extension noted since, and writes the next state
/// (`ExtensionFolder.handOver`).
public struct ExtensionState: Sendable {
  /// The longest state, sealed, in bytes. An extension has 24 MB for everything.
  public static let longest = 2 << 20

  /// What the extension may do with the key of an identity.
  public enum Hold: Sendable {
    /// Sign with it.
    case open(KeyPair)
    /// Nothing: the key is with the app, which must be unlocked. Requests wait.
    case locked
    /// Nothing: each use needs the owner's presence. Requests wait.
    case presence
    /// Nothing, ever: another key has replaced it. Requests are denied.
    case retired
  }

  /// A person's key.
  public struct Identity: Sendable {
    /// The owner's name for it, for notifications.
    public let name: String
    /// The public key.
    public let publicKey: PublicKey
    /// What the extension may do with the secret key.
    public let hold: Hold

    /// With all parts. The public key of an open one is that of its key pair.
    public init(name: String, publicKey: PublicKey, hold: Hold) {
      (self.name, self.publicKey, self.hold) = (name, publicKey, hold)
    }
  }

  /// A pairing, link or ended pairing with its transport key.
  public struct Keyed<Value: Sendable>: Sendable {
    /// What the key is for.
    public let value: Value
    /// The remote-signer key that `value` names.
    public let signer: KeyPair

    /// Checks nothing.
    public init(_ value: Value, signer: KeyPair) { (self.value, self.signer) = (value, signer) }
  }

  /// A request that was accepted lately, by the app or in an earlier wake.
  public struct SeenRequest: Hashable, Sendable {
    /// The request event's id.
    public let id: Bytes32
    /// The request event's own time, seconds since 1970.
    public let createdAt: Int64

    /// With both parts.
    public init(id: Bytes32, createdAt: Int64) { (self.id, self.createdAt) = (id, createdAt) }
  }

  /// Which of the app's states it is: each is written with a higher number than the one before.
  public var revision: UInt64
  /// When it was written, seconds since 1970.
  public var writtenAt: Int64
  /// The keys of people.
  public var identities: [Identity] = []
  /// The paired apps.
  public var pairings: [Keyed<Pairing>] = []
  /// The links that no app has used.
  public var links: [Keyed<OpenLink>] = []
  /// The pairings that ended lately and still answer.
  public var ended: [Keyed<EndedPairing>] = []
  /// The settings for all apps.
  public var settings = PolicySettings()
  /// Whether all apps are paused.
  public var isSuspended = false
  /// Whether requests in NIP-04 envelopes are answered.
  public var acceptsNIP04 = true
  /// The relays that the owner chose: apps log in to them without a question under medium trust.
  public var ownersRelays: [RelayURL] = []
  /// What apps used up of their limits and budgets, by their pairings' keys.
  public var usage: [PublicKey: Usage] = [:]
  /// What was signed at coordinates, by `SignedCoordinate.id`. At all others nothing is signed that is dated before `writtenAt`, because the
  /// extension does not know what was.
  public var signed: [Bytes32: SignedCoordinate] = [:]
  /// The requests that wait for the owner.
  public var waiting: [PendingRequest] = []
  /// The requests that were accepted within `SeenEvents.freshness`.
  public var seen: [SeenRequest] = []

  /// A state without keys or apps.
  /// - Parameters:
  ///   - revision: higher than that of the state before.
  ///   - writtenAt: seconds since 1970.
  public init(revision: UInt64, writtenAt: Int64) { (self.revision, self.writtenAt) = (revision, writtenAt) }

  /// The owner's name for an identity. Empty for one that is not here.
  func name(of identity: PublicKey?) -> String { identities.first { $0.publicKey == identity }?.name ?? "" }
}
