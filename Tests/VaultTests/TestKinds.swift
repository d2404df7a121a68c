@testable import Vault

/// Kinds of records such as a program declares for itself, with every property there is.
extension RecordKind {
  static let identity = RecordKind(1, "identity")
  static let identityKey = RecordKind(2, "identity key", isSecret: true, classes: .any)
  static let identityWords = RecordKind(3, "identity words", isSecret: true, classes: .any)
  static let pairing = RecordKind(4, "pairing")
  static let pairingKey = RecordKind(5, "pairing key", isSecret: true)
  static let link = RecordKind(6, "link", validity: .untilRestored)
  static let signedCoordinate = RecordKind(12, "signed coordinate")
  static let usage = RecordKind(13, "usage")
  static let heldShare = RecordKind(22, "held share", isSecret: true, classes: .unlocked)
  static let revocation = RecordKind(29, "revocation")
}

extension RecordKinds {
  static let tests = RecordKinds(adding: [
    .identity, .identityKey, .identityWords, .pairing, .pairingKey, .link, .signedCoordinate, .usage, .heldShare, .revocation,
  ])
}
