package import Vault

extension RecordKind {
  /// A statement about a key's succession, signed beforehand.
  package static let successionStatement = RecordKind(26, "succession statement")
}

extension RecordKinds {
  /// Those of key rotation; the signer itself reads how far a rotation has come.
  package static let ofKeyRotation: [RecordKind] = [.successionStatement]
}
