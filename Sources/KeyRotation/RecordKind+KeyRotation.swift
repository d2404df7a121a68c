package import Vault

extension RecordKind {
  /// A statement of succession that was signed in advance.
  package static let successionStatement = RecordKind(26, "succession statement")
}

extension RecordKinds {
  /// The kinds of key rotation. The kind of rotations themselves belongs to the signer.
  package static let ofKeyRotation: [RecordKind] = [.successionStatement]
}
