import Backups
import Encodings
import EntrustedShares
import Identities
package import JSON
import KeyRotation
import Notifications
import RemoteSigning
internal import Signer
internal import Vault

/// A damaged record, with a sentence about what its loss means.
package struct LostRecord: Equatable {
  /// What the record is about.
  package let kind: String
  /// The first 8 hex digits of its row's name. Nil if no row is known, because a row is missing or may have been replaced by an
  /// older one.
  package let row: String?
  /// The name of the identity, app or setting that it belongs to, if that is known.
  package let of: String?
  /// What its loss means.
  package let meaning: String

  package var members: JSONValue {
    .object([
      .init("kind", .string(kind)), .init("row", row.map { .string($0) } ?? .null), .init("of", of.map { .string($0) } ?? .null),
      .init("meaning", .string(meaning)),
    ])
  }

  /// One line: "identity key of “alice” (row 5da39a48)".
  var title: String {
    kind + (of.map { " of “\($0)”" } ?? "") + (row.map { " (row \($0))" } ?? "")
  }

  /// The words for the log's entry.
  var short: String { kind + (of.map { " \($0)" } ?? "") }

  /// Everything that a vault lost; damaged rows come first.
  static func all(_ damage: VaultDamage, _ names: [[UInt8]: String]) -> [LostRecord] {
    let rows = damage.rows.map { row in
      LostRecord(
        kind: row.kind.map { "\($0.name)" } ?? "record of an unknown kind", row: row.row,
        of: row.id.flatMap { name(of: $0, row.kind, names) },
        meaning: row.kind == .setting ? setting(row.id) : meaning(of: row.kind))
    }
    let kinds = damage.isSummaryLost ? [] : damage.unproven.sorted { $0.rawValue < $1.rawValue }
    return rows
      + kinds.map { kind in
        LostRecord(
          kind: "\(kind.name)", row: nil, of: nil, meaning: unproven(kind, isListed: damage.rows.contains { $0.kind == kind }))
      }
      + (damage.isSummaryLost
        ? [
          LostRecord(
            kind: "summary", row: nil, of: nil,
            meaning: "Nothing proves any more that the records are the latest: some may be older, and some may be missing.")
        ] : [])
      + (damage.isPageLost
        ? [
          LostRecord(
            kind: "part of the file", row: nil, of: nil,
            meaning: "A page of vault.db cannot be read, or its records are not in order; what lay there is missing.")
        ] : [])
  }

  /// - Parameter isListed: whether a row of this kind is named, too.
  private static func unproven(_ kind: RecordKind, isListed: Bool) -> String {
    let what =
      isListed
      ? "Nothing proves that the other records of this kind are the latest ones."
      : "A record of this kind is missing or damaged, or an older one was put in its place. " + meaning(of: kind)
    return kind == .identityKey ? what + " Look at the class of each identity: holdfast identity receipt NAME" : what
  }

  private static func name(of id: [UInt8], _ kind: RecordKind?, _ names: [[UInt8]: String]) -> String? {
    if let name = names[id] { return name }
    if kind == .slotNote, id.count == 4 { return "slot \(id.reduce(0) { $0 << 8 | Int($1) })" }
    return knownIDs.contains(id) && kind != .summary ? String(decoding: id, as: UTF8.self) : nil
  }

  /// The ids of single records, so that their damaged rows can be named.
  static let knownIDs: [[UInt8]] =
    ([
      "suspended", "session", "plan", "backup", "list", "vapid", "put back", "found while locked", "answered until", "sealing",
      "sealing key", "signing", "anchor", "retention", "coordinates bounded", "coordinates closed", "usage counted",
      "waiting known", "policy", "former apps", "identity.default",
    ].map { Array($0.utf8) }) + [[]] + (0...UInt8(64)).map { [0, 0, 0, $0] }

  /// Most settings are found or made again automatically.
  private static func setting(_ id: [UInt8]?) -> String {
    guard let id, id != Store.policySetting, id != SessionSettings.id else { return meaning(of: .setting) }
    if id == Array("identity.default".utf8) {
      return "Which identity is meant where none is named. The oldest is, until you say otherwise: holdfast identity default NAME"
    }
    return "A note of the signer's own. It is made again."
  }

  private static func meaning(of kind: RecordKind?) -> String {
    switch kind {
    case .identity:
      """
      Name and details of an identity. Its key gets a made-up name, and its apps must be paired again. If you had \
      retired it, retire it again.
      """
    case .identityKey:
      """
      An identity's key. It is derived again if its words are here and have no passphrase. Otherwise, import it from a backup, \
      its words or its nsec.
      """
    case .identityWords:
      "The words that an identity was made from. If its key can still be read, it stays: make a recovery kit for it."
    case .pairing: "An app's pairing and permissions. You have to pair the app again."
    case .pairingKey: "The key that signs and encrypts the answers to an app. You have to pair the app again."
    case .link, .linkKey: "A link that no app has used yet. Make a new one."
    case .pendingRequest: "A request that waited for you. The app has to send it again."
    case .setting:
      """
      A setting. The rules for all apps and the session's lock are the strictest until you set them again: holdfast policy set, \
      holdfast session set. Content of the log is deleted only if you schedule it again: holdfast log retain
      """
    case .grant: "An app's permissions. The app asks you for everything until you set them again."
    case .logKey:
      """
      A key of the log. The log is put aside and a new one begins. The old one can no longer be read, or no longer be \
      continued.
      """
    case .signedCoordinate:
      """
      What was signed last for one replaceable event, such as the profile or an article. New ones are signed; an app gets an error \
      for one dated before the repair.
      """
    case .usage: "How much of its limits an app has used. The limits count as used up."
    case .passkey: "A passkey of the console. Add all passkeys again."
    case .pushSubscription, .pushKey: "Push notifications to a browser or phone. Turn them on again there."
    case .slotNote: "The label and dates of a way to open the vault. It still opens the vault."
    case .itemNote: "The name and dates of something that a program keeps here, such as a password."
    case .itemValue: "Something that a program keeps here, such as a password. Only the program can store it again."
    case .recoveryKit:
      "What the vault knows about a recovery kit. Its shares still restore the identity: test them, or make a new kit."
    case .guardian:
      """
      A guardian, or a share that you keep for somebody. Add the guardian again, or tell the share's owner that it may be gone.
      """
    case .heldShare: "A share that you kept for somebody, or one that came back. Tell them: it has to be sent again."
    case .shareRequest: "A request for a share. Open requests are over. Answer new ones as they arrive."
    case .backupPlan, .backupCredential:
      "The schedule of backups, or the credentials of their place. Set it again: holdfast backup schedule"
    case .successionStatement: "A statement about a key's succession. Sign it again: holdfast identity succession"
    case .rotation: "The progress of an identity's rotation. To see it: holdfast identity rotation"
    case .testedClaim: "The date of a test. Test it again."
    case .revocation: "The note that you ended a pairing. An older backup may bring the pairing back, as paused."
    case .revocationKey: "The key of the list of revoked apps next to your backups. Make a new backup: holdfast backup create"
    case .fingerSet:
      "Which fingers were enrolled. Keys of the class biometric-required stay closed until you enrol again: holdfast slot enrol"
    case .endedPairing: "The key of a pairing that ended. Its app now gets no answer instead of an error."
    case .outbox: "The note of a change that was to be logged. The log may lack that change."
    default: "Holdfast does not know what it was."
    }
  }
}
