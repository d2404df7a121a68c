import Backups
import EntrustedShares
import Identities
import KeyRotation
import Notifications
import PushRegistration
import RemoteSigning
package import Signer
import Vault

// What is lost of a damaged vault, in words.

extension DamageReport {
  /// One sentence for every answer of a signer that only looks, and one more where the vault may not be the newest.
  var sentence: String {
    let shown = losses.prefix(Self.mostNamed).map(\.title).joined(separator: "; ")
    let more = losses.count > Self.mostNamed ? " and \(losses.count - Self.mostNamed) more" : ""
    return "The vault is damaged: \(shown)\(more)." + (doubt.map { " " + $0.sentence } ?? "")
  }

  private static let mostNamed = 3
}

extension VaultDoubt {
  /// One line for the owner.
  var sentence: String {
    switch self {
    case .putBack(let found): found.sentence
    case .markLost: "Nothing proves that this vault.db is the newest one, or that no entries are missing at the log's end."
    case .anchorLost:
      "The vault's record of the log's length is lost, so nobody knows whether entries are missing at its end."
    case .logUnreadable: "The log cannot be read, so nobody knows what was changed or revoked before."
    case .settingLost: "A lost setting may have said that this vault.db is not the newest one."
    }
  }
}

extension LostRecord {
  /// One line: "identity key of “alice” (row 5da39a48)".
  fileprivate var title: String {
    kind + (of.map { " of “\($0)”" } ?? "") + (row.map { " (row \($0))" } ?? "")
  }

  /// What its loss means.
  package var meaning: String {
    switch fault {
    case .row(.setting, let id): Self.setting(id)
    case .row(let kind, _): kind.flatMap { Self.meanings[$0] } ?? Self.unknown
    case .unproven(let kind, let isListed): Self.unproven(kind, isListed: isListed)
    case .summary: "Nothing proves any more that the records are the latest: some may be older, and some may be missing."
    case .page: "A page of vault.db cannot be read, or its records are not in order; what lay there is missing."
    }
  }

  private static func unproven(_ kind: RecordKind, isListed: Bool) -> String {
    let what =
      isListed
      ? "Nothing proves that the other records of this kind are the latest ones."
      : "A record of this kind is missing or damaged, or an older one was put in its place. " + (meanings[kind] ?? unknown)
    return kind == .identityKey ? what + " Look at the class of each identity: holdfast identity receipt NAME" : what
  }

  /// Most settings are found or made again automatically.
  private static func setting(_ id: [UInt8]?) -> String {
    guard let id, id != Store.policySetting, id != SessionSettings.id else { return meanings[.setting] ?? unknown }
    if id == Array("identity.default".utf8) {
      return "Which identity is meant where none is named. The oldest is, until you say otherwise: holdfast identity default NAME"
    }
    return "A note of the signer's own. It is made again."
  }

  private static let unknown = "Holdfast does not know what it was."

  private static let meanings: [RecordKind: String] = [
    .identity:
      """
    Name and details of an identity. Its key gets a made-up name, and its apps must be paired again. If you had \
    retired it, retire it again.
    """,
    .identityKey:
      """
    An identity's key. It is derived again if its words are here and have no passphrase. Otherwise, import it from a backup, \
    its words or its nsec.
    """,
    .identityWords:
      "The words that an identity was made from. If its key can still be read, it stays: make a recovery kit for it.",
    .pairing: "An app's pairing and permissions. You have to pair the app again.",
    .pairingKey: "The key that signs and encrypts the answers to an app. You have to pair the app again.",
    .link: "A link that no app has used yet. Make a new one.",
    .linkKey: "A link that no app has used yet. Make a new one.",
    .pendingRequest: "A request that waited for you. The app has to send it again.",
    .setting:
      """
    A setting. The rules for all apps and the session's lock are the strictest until you set them again: holdfast policy set, \
    holdfast session set. Content of the log is deleted only if you schedule it again: holdfast log retain
    """,
    .grant: "An app's permissions. The app asks you for everything until you set them again.",
    .logKey:
      """
    A key of the log. The log is put aside and a new one begins. The old one can no longer be read, or no longer be \
    continued.
    """,
    .signedCoordinate:
      """
    What was signed last for one replaceable event, such as the profile or an article. New ones are signed; an app gets an error \
    for one dated before the repair.
    """,
    .usage: "How much of its limits an app has used. The limits count as used up.",
    .passkey: "A passkey of the console. Add all passkeys again.",
    .pushSubscription: "Push notifications to a browser or phone. Turn them on again there.",
    .pushKey: "Push notifications to a browser or phone. Turn them on again there.",
    .pushPlan: "The push proxy that wakes this device. Name it again: holdfast push register",
    .pushRegistration: "What a push proxy acknowledged for an app. The signer asks the proxy again.",
    .slotNote: "The label and dates of a way to open the vault. It still opens the vault.",
    .itemNote: "The name and dates of something that a program keeps here, such as a password.",
    .itemValue: "Something that a program keeps here, such as a password. Only the program can store it again.",
    .recoveryKit:
      "What the vault knows about a recovery kit. Its shares still restore the identity: test them, or make a new kit.",
    .guardian:
      """
    A guardian, or a share that you keep for somebody. Add the guardian again, or tell the share's owner that it may be gone.
    """,
    .heldShare: "A share that you kept for somebody, or one that came back. Tell them: it has to be sent again.",
    .shareRequest: "A request for a share. Open requests are over. Answer new ones as they arrive.",
    .backupPlan: "The schedule of backups, or the credentials of their place. Set it again: holdfast backup schedule",
    .backupCredential: "The schedule of backups, or the credentials of their place. Set it again: holdfast backup schedule",
    .successionStatement: "A statement about a key's succession. Sign it again: holdfast identity succession",
    .rotation: "The progress of an identity's rotation. To see it: holdfast identity rotation",
    .testedClaim: "The date of a test. Test it again.",
    .revocation: "The note that you ended a pairing. An older backup may bring the pairing back, as paused.",
    .revocationKey: "The key of the list of revoked apps next to your backups. Make a new backup: holdfast backup create",
    .fingerSet:
      "Which fingers were enrolled. Keys of the class biometric-required stay closed until you enrol again: holdfast slot enrol",
    .endedPairing: "The key of a pairing that ended. Its app now gets no answer instead of an error.",
    .outbox: "The note of a change that was to be logged. The log may lack that change.",
  ]
}
