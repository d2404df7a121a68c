public import Curve

/// One app paired with one identity: its transport keys and what it may do.
public struct Pairing: Hashable, Sendable {
  /// The key this signer answers with. Each pairing has its own, so that apps cannot be linked.
  public let remoteSigner: PublicKey
  /// The app's key.
  public let client: PublicKey
  /// The user key it signs with.
  public let identity: PublicKey
  /// When the pairing was made, seconds since 1970.
  public let pairedAt: Int64
  /// The owner's name for the app, at first what the app called itself.
  public var name: String
  /// The web address the app claims. For display only.
  public var url: String?
  /// The permissions that the app asked for. Shown to the owner, never granted by themselves.
  public var requested: [Permission]
  /// The app's permissions.
  public var grant: Grant
  /// The relays of the session.
  public var relays: [RelayURL]
  /// Whether the owner chose these relays. The app chose those in its own link, and perhaps those of pairings from earlier versions.
  public var hasOwnersRelays: Bool
  /// Relays of the app's own link that may lie inside the owner's network: the owner said so.
  public var relaysInside: [RelayURL] = []
  /// When the app last sent a request, seconds since 1970.
  public var lastSeen: Int64
  /// How many requests it has sent.
  public var requestCount: Int
  /// The last answer that some libraries cannot read for its length.
  public var longAnswer: LongAnswer?
  /// The program, site or link on this machine that it is for. Nil for an app that asks over relays.
  public var caller: LocalCaller?

  /// A pairing with its record of use empty.
  public init(
    remoteSigner: PublicKey, client: PublicKey, identity: PublicKey, pairedAt: Int64, name: String, url: String? = nil,
    requested: [Permission] = [], grant: Grant, relays: [RelayURL], hasOwnersRelays: Bool = false,
    lastSeen: Int64? = nil, requestCount: Int = 0
  ) {
    (self.remoteSigner, self.client, self.identity) = (remoteSigner, client, identity)
    (self.pairedAt, self.name, self.url) = (pairedAt, name, url)
    (self.requested, self.grant, self.relays) = (requested, grant, relays)
    self.hasOwnersRelays = hasOwnersRelays
    (self.lastSeen, self.requestCount) = (lastSeen ?? pairedAt, requestCount)
  }
}

/// A `bunker://` link that no app has used yet.
public struct OpenLink: Hashable, Sendable {
  /// How long a link is good when nothing else is said, in seconds: one day.
  public static let defaultLifetime: Int64 = 86_400
  /// The length of a secret of ours: 22 of 64 letters, 132 random bits.
  public static let secretLength = 22

  /// The key the link names.
  public let remoteSigner: PublicKey
  /// Good for one connection. Letters, digits, `-` and `_` only: some clients refuse a link with anything else.
  public let secret: String
  /// The identity an app gets by it.
  public let identity: PublicKey
  /// The trust an app gets by it.
  public let trust: TrustLevel
  /// The relays the link names.
  public let relays: [RelayURL]
  /// Seconds since 1970.
  public let madeAt: Int64
  /// Seconds since 1970; no app can use the link from then on.
  public let expiresAt: Int64
  /// The owner's name for the app that will use the link. Nil leaves the name to the app.
  public let name: String?

  /// A link with all its parts.
  public init(
    remoteSigner: PublicKey, secret: String, identity: PublicKey, trust: TrustLevel, relays: [RelayURL], madeAt: Int64,
    expiresAt: Int64, name: String? = nil
  ) {
    (self.remoteSigner, self.secret, self.identity) = (remoteSigner, secret, identity)
    (self.trust, self.relays) = (trust, relays)
    (self.madeAt, self.expiresAt, self.name) = (madeAt, expiresAt, name)
  }

  /// The link as text.
  public var uri: BunkerURI { BunkerURI(remoteSigner: remoteSigner, relays: relays, secret: secret) }

  /// A fresh secret.
  /// - Parameter randomness: 22 random bytes or more.
  public static func secret(from randomness: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(decoding: randomness.prefix(secretLength).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
  }
}
