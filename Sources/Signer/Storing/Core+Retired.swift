package import Curve
internal import Encodings
internal import Identities
internal import RemoteSigning
internal import Vault

/// Identities that gave way to another key.
extension Core {
  /// Tells the engine which they are: by the record of the rotation, or by their own, where that record was lost or the vault is of before
  /// it.
  package func loadRetired() throws {
    let marked = identities.all.filter(\.isRetired).map(\.publicKey)
    let rotated = try vault.ids(.rotation).map { id throws(VaultError) in
      guard let key = Bytes32(id) else { throw VaultError.corrupt(what: RecordKind.rotation.name) }
      return PublicKey(key)
    }
    engine.setRetired(Set(rotated + marked))
  }

  /// Whether the identity gave way to another key.
  package func isRetired(_ identity: PublicKey) -> Bool { engine.isRetired(identity) }
}
