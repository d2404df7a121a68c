import AuditLog
import Nostr
package import OwnerAPI
import RemoteSigning
import RequestPreview
import Signer

// Entries of the log in words. The command line and the console show the same.

extension LogEntry {
  /// What happened, as a phrase without a full stop.
  var words: String { words(nil) }

  /// - Parameter heading: what the request was, where method and kind do not say enough.
  func words(_ heading: RequestHeading?) -> String {
    switch entry {
    case .requestDecided, .requestDone: Self.request(method, kind: kind, heading)
    case .requestsGathered: method.flatMap { Self.again[$0] } ?? Self.phrases[entry] ?? entry.rawValue
    case .grantChanged where rule == "renamed": "Renamed by you"
    case .incidentCritical where isOwners: "You locked everything down"
    default: Self.phrases[entry] ?? entry.rawValue
    }
  }

  /// Whether the rule names the owner, and the way that the owner took.
  private var isOwners: Bool { OwnerChannel.allCases.contains { AuditRule.by($0).description == rule } }

  private static func request(_ method: RequestMethod?, kind: Int64?, _ heading: RequestHeading?) -> String {
    guard let method else { return "A request" }
    let title = Method(rawValue: method.rawValue).flatMap {
      RequestTitle.words($0, kind: kind.map { Int(clamping: $0) }, heading)
    }
    return title ?? methods[method] ?? "A request"
  }

  /// Methods that no owner is asked about.
  private static let methods: [RequestMethod: String] = [
    .connect: "Connect", .ping: "Check that the signer is there", .switchRelays: "Ask for other relays", .logout: "Log out",
    .describe: "Ask which methods there are", .getRelays: "Ask for relays", .disconnect: "Disconnect",
    .createAccount: "Create an account", .other: "Something that the signer does not know",
  ]

  /// The same requests within a minute after the first, which share an entry.
  private static let again: [RequestMethod: String] = [
    .getPublicKey: "Learned your public key again", .connect: "Connected again", .ping: "Checked again that the signer is there",
    .switchRelays: "Asked again for other relays", .describe: "Asked again which methods there are",
    .getRelays: "Asked for relays again",
  ]

  private static let phrases: [LogEntryKind: String] = [
    .paired: "Paired", .firstAsked: "Asked for the first time", .unpaired: "No longer paired",
    .linkMade: "A pairing link was made",
    .grantChanged: "What it may do was changed", .identityCreated: "An identity was made",
    .identityImported: "An identity was imported", .identityRenamed: "An identity was renamed",
    .identityDeleted: "An identity was deleted", .identityDefaultChanged: "Another identity is the default",
    .keyExported: "A key was exported", .vaultOpened: "The vault was opened", .vaultOpenFailed: "The vault was not opened",
    .daemonStarted: "The signer started", .daemonStopped: "The signer stopped",
    .replayRefused: "A repeated request was refused", .floodRefused: "A flood of requests was refused",
    .recovered: "An unfinished entry at the end of the log was cut off", .unlocked: "The signer was unlocked",
    .locked: "The signer was locked", .settingChanged: "A setting was changed",
    .signedIn: "A browser signed in to the console", .signInFailed: "A sign-in to the console failed",
    .sessionEnded: "A console session ended", .passkeyAdded: "A passkey was added", .passkeyRemoved: "A passkey was removed",
    .incidentMinor: "Something suspicious happened", .incidentCritical: "Locked down after something critical",
    .incidentEnded: "A lockdown ended", .requestDropped: "A request ended without an answer",
    .requestsGathered: "Asked again for something that uses no key",
    .loginsGathered: "More logins at a relay for guardians’ messages, within an hour",
    .linkRefused: "A spent or wrong link was refused", .notificationSubscribed: "Notifications were turned on for a device",
    .notificationUnsubscribed: "Notifications were turned off for a device",
    .entriesRedacted: "The content of old entries was deleted", .slotAdded: "A way to unlock was added",
    .slotRemoved: "A way to unlock was removed", .slotTested: "A way to unlock was tested, and works",
    .passphraseChanged: "The passphrase was changed",
    .biometryChanged: "Fingers changed: their keys were closed",
    .classKeysRotated: "The vault’s class keys were renewed", .recoveryCreated: "A recovery kit was made",
    .recoveryTested: "A recovery kit was tested, and works", .recoveryRestored: "Something was restored from a recovery kit",
    .backupMade: "A backup was made", .backupVerified: "A backup was checked", .backupRestored: "A backup was restored",
    .identityChanged: "An identity was changed", .identityRotated: "A new key replaced an identity",
    .successionSigned: "A statement about a key’s succession was signed", .guardianAdded: "A guardian was given a share",
    .guardianAsked: "A share was asked for", .guardianReleased: "A share was given back",
    .guardianAllowed: "You agreed to give a share back", .shareKept: "You keep a share for somebody",
    .requestCodeChanged: "A recovery kit has a new request code", .guardianCancelled: "A request for a share was stopped",
    .guardianRemoved: "A guardian, or a share that you kept, was removed", .vaultAccepted: "You accepted an older vault",
  ]
}

extension LogEntryKind {
  /// What an entry of this type says, as a phrase.
  package var words: String {
    var entry = LogEntry()
    entry.entry = self
    return entry.words
  }
}

extension AuditErrorCode {
  /// Why something was not done, as the end of a sentence. Nil for a number that only a newer program writes.
  var words: String? { Self.reasons[self] }

  private static let reasons: [AuditErrorCode: String] = [
    .malformed: "it was malformed", .unsupportedMethod: "it is not supported here", .notPaired: "the app is not paired",
    .deniedByPolicy: "a rule denied it", .deniedByOwner: "you denied it", .expired: "it was too old",
    .locked: "the signer was locked", .cannotDecrypt: "the message did not open",
    .cannotPublish: "no relay accepted the answer", .wrongPassphrase: "wrong passphrase",
    .signedBefore: "another version of it with the same date was signed before",
    .throttled: "too many attempts before it", .storage: "the disk could not be written", .internalFault: "an internal error",
  ]
}
