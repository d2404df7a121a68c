package import Vault

extension RecordKind {
  /// An app that is paired, and what it may do.
  package static let pairing = RecordKind(4, "pairing")
  /// The remote-signer key of a pairing, 32 bytes.
  package static let pairingKey = RecordKind(5, "pairing key", isSecret: true)
  /// A pairing link that was given out and not used yet.
  package static let link = RecordKind(6, "link", validity: .untilRestored)
  /// The remote-signer key that belongs to a link, 32 bytes.
  package static let linkKey = RecordKind(7, "link key", isSecret: true, validity: .untilRestored)
  /// A request that waits for the owner.
  package static let pendingRequest = RecordKind(8, "pending request", validity: .untilPutBack)
  /// What an app may do with an identity.
  package static let grant = RecordKind(10, "grant")
  /// The keys of the audit log: what seals and what signs. A restored vault begins a log of its own.
  package static let logKey = RecordKind(11, "log key", isSecret: true, classes: .unlocked, validity: .untilRestored)
  /// The last replaceable event signed at one coordinate, with its content where a change is shown by difference.
  package static let signedCoordinate = RecordKind(12, "signed coordinate")
  /// What an app has used up of its limits and budgets.
  package static let usage = RecordKind(13, "usage")
  /// A passkey that signs in to the console: its public key.
  package static let passkey = RecordKind(14, "passkey", validity: .untilPutBack)
  /// A recovery kit that was made: for what, how many shares, when it was tested.
  package static let recoveryKit = RecordKind(20, "recovery kit")
  /// How far the rotation of an identity has come: its old key signs nothing any more.
  package static let rotation = RecordKind(27, "rotation")
  /// A claim of a receipt that was tested, and when.
  package static let testedClaim = RecordKind(28, "tested claim")
  /// A pairing that ended: when, and how. By the pairing's remote-signer key.
  package static let revocation = RecordKind(29, "revocation")
  /// What seals the list of revocations beside the backups, 32 bytes.
  package static let revocationKey = RecordKind(30, "revocation key", isSecret: true)
  /// What is left of a pairing or link that ended, so that its app can be told. By its remote-signer key, which is kept as long.
  package static let endedPairing = RecordKind(40, "ended pairing")
  /// The log entries of a change, until the log has them. By number.
  package static let outbox = RecordKind(41, "outbox", validity: .untilRestored)
}

extension Store {
  /// The kinds of this module's records.
  package static let recordKinds: [RecordKind] = [
    .pairing, .pairingKey, .link, .linkKey, .pendingRequest, .grant, .logKey, .signedCoordinate, .usage, .passkey, .recoveryKit,
    .rotation, .testedClaim,
    .revocation, .revocationKey, .endedPairing, .outbox,
  ]
}
