public import SecretMemory

/// What a record is about. The raw value is what is stored, in clear; numbers are never used again for something else.
public enum RecordKind: UInt16, Sendable, CaseIterable {
  /// The vault's own: generation of the header and inventory of all records (Inventory.swift).
  case summary = 0
  /// Name, public key and origin of an identity.
  case identity = 1
  /// An identity's secret key, 32 bytes.
  case identityKey = 2
  /// The words an identity's key was derived from.
  case identityWords = 3
  /// An app that is paired, and what it may do.
  case pairing = 4
  /// The remote-signer key of a pairing, 32 bytes.
  case pairingKey = 5
  /// A pairing link that was given out and not used yet.
  case link = 6
  /// The remote-signer key that belongs to a link, 32 bytes.
  case linkKey = 7
  /// A request that waits for the owner.
  case pendingRequest = 8
  /// A setting.
  case setting = 9
  /// What an app may do with an identity.
  case grant = 10
  /// The keys of the audit log: what seals and what signs.
  case logKey = 11
  /// The last replaceable event signed at one coordinate, with its content where a change is shown by difference.
  case signedCoordinate = 12
  /// What an app has used up of its limits and budgets.
  case usage = 13
  /// A passkey that signs in to the console: its public key.
  case passkey = 14
  /// A browser or phone that is told by Web Push.
  case pushSubscription = 15
  /// The key this daemon shows to push services (VAPID), 32 bytes.
  case pushKey = 16
  /// What is noted of a keyslot beside the header: label, when it was made, used and tested.
  case slotNote = 17
  /// What is known of a program's item without opening it.
  case itemNote = 18
  /// The value of a program's item.
  case itemValue = 19
  /// A recovery kit that was made: for what, how many shares, when it was tested.
  case recoveryKit = 20
  /// A guardian who holds a share for the owner.
  case guardian = 21
  /// A share that is held here for somebody else.
  case heldShare = 22
  /// A request for a share that is held here, and when it may be answered.
  case shareRequest = 23
  /// Where backups go, and how often.
  case backupPlan = 24
  /// What signs in to the place where backups go.
  case backupCredential = 25
  /// A statement about a key's succession, signed beforehand.
  case successionStatement = 26
  /// How far the rotation of an identity has come.
  case rotation = 27
  /// A claim of a receipt that was tested, and when.
  case testedClaim = 28
  /// A pairing that ended: when, and how. By the pairing's remote-signer key.
  case revocation = 29
  /// What seals the list of revocations beside the backups, 32 bytes.
  case revocationKey = 30
  /// The fingers that were enrolled on this machine when `biometricRequired` was.
  case fingerSet = 31
  /// What is left of a pairing or link that ended, so that its app can be told. By its remote-signer key, which is kept as long.
  case endedPairing = 40
  /// What a change says to the audit log, until it stands there. By number.
  case outbox = 41

  /// Whether its values are only ever handed out as `SecretBytes`.
  public var isSecret: Bool {
    switch self {
    case .identityKey, .identityWords, .pairingKey, .linkKey, .logKey, .pushKey, .itemValue, .heldShare, .backupCredential,
      .revocationKey:
      true
    case .summary, .identity, .pairing, .link, .pendingRequest, .setting, .grant, .signedCoordinate, .usage, .passkey,
      .pushSubscription, .slotNote, .itemNote, .recoveryKit, .guardian, .shareRequest, .backupPlan, .successionStatement,
      .rotation, .testedClaim, .revocation, .fingerSet, .endedPairing, .outbox:
      false
    }
  }

  /// For `VaultError.corrupt(what:)`.
  public var name: StaticString {
    switch self {
    case .summary: "summary"
    case .identity: "identity"
    case .identityKey: "identity key"
    case .identityWords: "identity words"
    case .pairing: "pairing"
    case .pairingKey: "pairing key"
    case .link: "link"
    case .linkKey: "link key"
    case .pendingRequest: "pending request"
    case .setting: "setting"
    case .grant: "grant"
    case .logKey: "log key"
    case .signedCoordinate: "signed coordinate"
    case .usage: "usage"
    case .passkey: "passkey"
    case .pushSubscription: "push subscription"
    case .pushKey: "push key"
    case .slotNote: "slot note"
    case .itemNote: "item note"
    case .itemValue: "item value"
    case .recoveryKit: "recovery kit"
    case .guardian: "guardian"
    case .heldShare: "held share"
    case .shareRequest: "share request"
    case .backupPlan: "backup plan"
    case .backupCredential: "backup credential"
    case .successionStatement: "succession statement"
    case .rotation: "rotation"
    case .testedClaim: "tested claim"
    case .revocation: "revocation"
    case .revocationKey: "revocation key"
    case .fingerSet: "finger set"
    case .endedPairing: "ended pairing"
    case .outbox: "outbox"
    }
  }
}

/// A record of a kind that is not secret.
public struct Record: Sendable, Equatable {
  /// What tells it from others of its kind.
  public let id: [UInt8]
  /// The bytes that were put.
  public let value: [UInt8]

  package init(id: [UInt8], value: [UInt8]) { (self.id, self.value) = (id, value) }
}

/// What to keep: secret kinds take `.secret`, the others `.bytes`.
public enum RecordValue: Sendable {
  case secret(SecretBox)
  case bytes([UInt8])
}

/// One change within a transaction.
public enum RecordChange: Sendable {
  /// Makes the record, or replaces it.
  case put(kind: RecordKind, id: [UInt8], value: RecordValue, class: ProtectionClass)
  /// Removes the record if it is there.
  case delete(kind: RecordKind, id: [UInt8])

  /// Makes or replaces a record that is not secret.
  public static func put(
    _ kind: RecordKind, _ id: [UInt8], _ value: [UInt8], _ class: ProtectionClass = .afterFirstUnlock
  ) -> Self {
    .put(kind: kind, id: id, value: .bytes(value), class: `class`)
  }

  /// Makes or replaces a secret record.
  public static func put(_ kind: RecordKind, _ id: [UInt8], _ value: SecretBox, _ class: ProtectionClass) -> Self {
    .put(kind: kind, id: id, value: .secret(value), class: `class`)
  }
}
