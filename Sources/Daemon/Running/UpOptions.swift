/// What `holdfast up` was asked for.
public struct UpOptions: Sendable {
  /// The vault's folder; ignored for a trial.
  public var home: Home
  /// A fresh vault in a temporary folder that is wiped at the end.
  public var isTrial = false
  /// Whether the home was named on the command line, so that commands told to the owner have to name it, too.
  public var isHomeNamed = false
  /// The identity the printed link is for; nil for the default one.
  public var identity: String?
  /// Relays to use besides the embedded one.
  public var relays: [String] = []
  /// Whether to run the embedded relay.
  public var embeddedRelay = true
  /// An IP address, or "localhost".
  public var host = "127.0.0.1"
  /// Nil for the usual port, 24133; 0 lets the system choose.
  public var port: UInt16?
  /// What an app that pairs by the printed link gets.
  public var trust = "medium"
  /// The address that apps are told to show while a request waits; nil for silence.
  public var authURL: String?
  /// Whether `/metrics` is for everybody who reaches the port, and not for this machine only.
  public var metrics = false
  /// Whether nothing is said about what happens.
  public var isQuiet = false

  /// The certificate's and its key's PEM files; nil for plain text.
  public var tls: (certificate: String, key: String)?
  /// Further names by which browsers reach the console, or whole origins such as `https://signer.example`.
  public var consoleHosts: [String] = []

  /// Proxies whose `X-Forwarded-For` is believed: addresses, or ranges such as `10.0.0.0/8`.
  public var trustedProxies: [String] = []

  /// The usual port: the kind number of NIP-46.
  public static let usualPort: UInt16 = 24133

  /// Whether push services inside private networks, and on other ports than 443, are allowed.
  public var pushAllowsPrivate = false
  /// A file of certificates (PEM) that push services are checked against instead of the system's.
  public var pushCertificates: String?
  /// How push services reach whoever runs this signer: `mailto:…` or `https://…`.
  public var pushContact = "mailto:owner@holdfast.invalid"

  /// Where a checkpoint of the log is kept, on another disk or machine; compared at the start. Nil for nowhere.
  public var checkpoint: String?

  /// How the desktop is told: answer, show or off.
  public var desktop = "answer"

  /// Options with everything else as usual.
  public init(home: Home) { self.home = home }
}

/// What `holdfast up` tells when it is ready.
public struct Ready: Sendable {
  /// The link to pair by; nil where none can be made before the owner unlocks.
  public let bunker: String?
  /// The user's public key, 64 hex digits.
  public let pubkey: String
  /// The same as npub.
  public let npub: String
  /// The identity's name.
  public let identity: String
  /// The first relay of the link.
  public let relay: String
  /// The address of the console.
  public let console: String
  /// For a trial: a link that signs in to the console once.
  public let signIn: String?
  /// The folder of the vault.
  public let home: String
  /// What an app that pairs by the link gets.
  public let trust: String
  /// Whether the identity was made just now.
  public let madeIdentity: Bool
  /// Whether everything is shut until the owner resumes, so that no app is served.
  public let isShut: Bool
  /// What the person should know besides: measures the system refused, a port that was taken.
  public let remarks: [String]
}
