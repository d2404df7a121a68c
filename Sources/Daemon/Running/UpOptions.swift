import Observability
import OwnerAPI
import RemoteSigning
package import Signer

/// The options of `holdfast up`.
package struct UpOptions: Sendable {
  /// The vault's folder; ignored for a trial.
  package var home: Home
  /// A fresh vault in a temporary folder that is wiped at the end.
  package var isTrial = false
  /// The words of the command line that started a trial, without those that name its home and its port. They start a kept trial again.
  package var restartingWords: [String] = []
  /// Whether the home was named on the command line. Then commands that are shown to the owner have to name it, too.
  package var isHomeNamed = false
  /// The identity the printed link is for; nil for the default one.
  package var identity: String?
  /// Relays to use besides the embedded one.
  package var relays: [String] = []
  /// Whether to run the embedded relay.
  package var embeddedRelay = true
  /// An IP address, or "localhost".
  package var host = "127.0.0.1"
  /// 0 lets the system choose. Nil for the port that was given last for this home, else the usual one, 24133.
  package var port: UInt16?
  /// The trust of an app that pairs by the printed link; nil for the owner's default.
  package var trust: String?
  /// What a program on this machine gets that was not seen before. Nil to ask the owner at its first use.
  package var localTrust: String?
  /// The address that apps are told to open while a request waits. Nil tells them none.
  package var authURL: String?
  /// Whether `/metrics` is for everybody who can reach the port, not for this machine only.
  package var metrics = false
  /// Whether no events are written.
  package var isQuiet = false

  /// The PEM files of the certificate and its key. Nil for plain text.
  package var tls: (certificate: String, key: String)?
  /// Further names for the console in browsers, or whole origins such as `https://signer.example`.
  package var consoleHosts: [String] = []

  /// Proxies whose `X-Forwarded-For` is trusted: addresses, or ranges such as `10.0.0.0/8`.
  package var trustedProxies: [String] = []

  /// The usual port: the kind number of NIP-46.
  package static let usualPort: UInt16 = 24133

  /// The given port, else the one that the home's signer had last, else the usual one.
  package var usedPort: UInt16 { port ?? (isTrial ? nil : HomePort(of: home).port) ?? Self.usualPort }

  /// Keeps a port that was named for the next start.
  func keepPort() {
    guard !isTrial, let port, Monitoring.isLoopback(host) else { return }
    HomePort(of: home).keep(port)
  }

  /// Whether push services may be inside private networks and on other ports than 443.
  package var pushAllowsPrivate = false
  /// A file of certificates (PEM) that push services are checked against instead of the system's.
  package var pushCertificates: String?
  /// The contact of whoever runs this signer, for push services: `mailto:…` or `https://…`.
  package var pushContact = "mailto:owner@holdfast.invalid"

  /// Where a checkpoint of the log is kept, on another disk or machine. It is compared at the start. Nil for nowhere.
  package var checkpoint: String?

  /// What desktop notifications do: answer, show or off.
  package var desktop = "answer"

  /// Whether programs may ask over the session bus.
  package var dbus = true

  /// Whether a window with the approvals opens when somebody on this machine asks.
  package var opensWindow = false

  /// Whether an icon is in the desktop's panel.
  package var showsTray = false

  /// Whether standard output is a terminal, where the owner alone reads it.
  package var isOnTerminal = false

  /// Called when a person asks a trial to end that has something to lose. The trial then ends only if it is asked again. Nil ends it at
  /// once.
  package var beforeLoss: (@Sendable (TrialLoss) -> Void)?

  /// A token that signs in once: the browser that kept a trial has it. Nil for none.
  package var signInToken: String?

  /// Breaks long lines of notices for the terminal.
  package var layOut: @Sendable (String) -> String = { $0 }

  /// The usual options for a home.
  package init(home: Home) { self.home = home }
}

/// What `holdfast up` prints when it is ready.
package struct Ready: Sendable {
  /// The pairing link. Nil if the owner must unlock before one can be made, or if standard output goes to the journal.
  package let bunker: String?
  /// When the link was made, in seconds since 1970, if that was before this start: somebody may have it already. Nil for a new one.
  package let linkMade: Int64?
  /// Whether every relay of the link is on this machine.
  package let isThisMachineOnly: Bool
  /// The user's public key, 64 hex digits.
  package let pubkey: String
  /// The same key as npub.
  package let npub: String
  /// The identity's name.
  package let identity: String
  /// The first relay of the link.
  package let relay: String
  /// The address of the console.
  package let console: String
  /// For a trial, also one that was just kept, and on a terminal while no passkey signs in: a link that signs in to the console once.
  package let signIn: String?
  /// The folder of the vault.
  package let home: String
  /// The trust of an app that pairs by the link.
  package let trust: String
  /// Whether all of it is wiped at the end.
  package let isTrial: Bool
  /// Set when a trial was just kept: the command that starts the signer next time.
  package let nextStart: String?
  /// Whether the identity was made just now.
  package let madeIdentity: Bool
  /// Whether everything is locked down until the owner resumes, so that no app is served.
  package let isShut: Bool
  /// Whether what is printed goes to the journal, so that no link is among it.
  package let isInJournal: Bool
  /// Further remarks for the owner: protections that the system refused, a port that was taken.
  package let remarks: [String]
}

extension UpOptions {
  /// The trust of an app that pairs by the printed link.
  func linkTrust(_ home: OpenedHome) throws(OperationError) -> TrustLevel {
    let named = trust ?? home.engine.policySettings.defaultTrust.rawValue
    guard let trust = TrustLevel(rawValue: named) else { throw .usage("Trust must be full, medium or low.") }
    return trust
  }

  /// Nil for a trial, whose log is gone when it ends.
  var checkpointFile: CheckpointFile? { isTrial ? nil : checkpoint.map { CheckpointFile(path: $0) } }
}
