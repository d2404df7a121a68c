package import Signer

/// What `holdfast up` was asked for.
package struct UpOptions: Sendable {
  /// The vault's folder; ignored for a trial.
  package var home: Home
  /// A fresh vault in a temporary folder that is wiped at the end.
  package var isTrial = false
  /// Whether the home was named on the command line, so that commands told to the owner have to name it, too.
  package var isHomeNamed = false
  /// The identity the printed link is for; nil for the default one.
  package var identity: String?
  /// Relays to use besides the embedded one.
  package var relays: [String] = []
  /// Whether to run the embedded relay.
  package var embeddedRelay = true
  /// An IP address, or "localhost".
  package var host = "127.0.0.1"
  /// Nil for the usual port, 24133; 0 lets the system choose.
  package var port: UInt16?
  /// What an app that pairs by the printed link gets.
  package var trust = "medium"
  /// The address that apps are told to show while a request waits; nil for silence.
  package var authURL: String?
  /// Whether `/metrics` is for everybody who reaches the port, and not for this machine only.
  package var metrics = false
  /// Whether nothing is said about what happens.
  package var isQuiet = false

  /// The certificate's and its key's PEM files; nil for plain text.
  package var tls: (certificate: String, key: String)?
  /// Further names by which browsers reach the console, or whole origins such as `https://signer.example`.
  package var consoleHosts: [String] = []

  /// Proxies whose `X-Forwarded-For` is believed: addresses, or ranges such as `10.0.0.0/8`.
  package var trustedProxies: [String] = []

  /// The usual port: the kind number of NIP-46.
  package static let usualPort: UInt16 = 24133

  /// Whether push services inside private networks, and on other ports than 443, are allowed.
  package var pushAllowsPrivate = false
  /// A file of certificates (PEM) that push services are checked against instead of the system's.
  package var pushCertificates: String?
  /// How push services reach whoever runs this signer: `mailto:…` or `https://…`.
  package var pushContact = "mailto:owner@holdfast.invalid"

  /// Where a checkpoint of the log is kept, on another disk or machine; compared at the start. Nil for nowhere.
  package var checkpoint: String?

  /// How the desktop is told: answer, show or off.
  package var desktop = "answer"

  /// Options with everything else as usual.
  package init(home: Home) { self.home = home }
}

/// What `holdfast up` tells when it is ready.
package struct Ready: Sendable {
  /// The link to pair by; nil where none can be made before the owner unlocks.
  package let bunker: String?
  /// The user's public key, 64 hex digits.
  package let pubkey: String
  /// The same as npub.
  package let npub: String
  /// The identity's name.
  package let identity: String
  /// The first relay of the link.
  package let relay: String
  /// The address of the console.
  package let console: String
  /// For a trial: a link that signs in to the console once.
  package let signIn: String?
  /// The folder of the vault.
  package let home: String
  /// What an app that pairs by the link gets.
  package let trust: String
  /// Whether the identity was made just now.
  package let madeIdentity: Bool
  /// Whether everything is shut until the owner resumes, so that no app is served.
  package let isShut: Bool
  /// What the person should know besides: measures the system refused, a port that was taken.
  package let remarks: [String]
}

extension UpOptions {
  /// Not of a trial, which is gone when it ends.
  var checkpointFile: CheckpointFile? { isTrial ? nil : checkpoint.map { CheckpointFile(path: $0) } }
}
