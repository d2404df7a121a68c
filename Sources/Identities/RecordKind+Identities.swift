public import Vault

extension RecordKind {
  /// Name, public key and origin of an identity.
  public static let identity = RecordKind(1, "identity")
  /// An identity's secret key, 32 bytes.
  public static let identityKey = RecordKind(2, "identity key", isSecret: true, classes: .any)
  /// The words an identity's key was derived from.
  public static let identityWords = RecordKind(3, "identity words", isSecret: true, classes: .any)
}

extension Identities {
  /// The kinds of this module's records.
  public static let recordKinds: [RecordKind] = [.identity, .identityKey, .identityWords]
}
