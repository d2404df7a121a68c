import Vault

/// Kinds of records in the vaults of the kill tests; Tests/VaultTests/TestKinds.swift has them, too.
extension RecordKind {
  static let pairingKey = RecordKind(5, "pairing key", isSecret: true)
}

extension RecordKinds {
  static let written = RecordKinds(adding: [
    RecordKind(2, "identity key", isSecret: true, classes: .any), .pairingKey, RecordKind(6, "link"),
  ])
}
