package import Curve
import Encodings
import Identities
import RemoteSigning
import Vault

/// Identities that were rotated to another key.
extension OpenedHome {
  /// Tells the engine which identities were rotated. This is read from the rotation's record, or from the identity's own record
  /// if the former was lost or the vault is of an earlier version.
  package func loadRetired() throws {
    let marked = identities.all.filter(\.isRetired).map(\.publicKey)
    let rotated = try vault.ids(.rotation).map { id throws(VaultError) in
      guard let key = Bytes32(id) else { throw VaultError.corrupt(what: RecordKind.rotation.name) }
      return PublicKey(key)
    }
    engine.setRetired(Set(rotated + marked))
  }

  /// Whether the identity was rotated to another key.
  package func isRetired(_ identity: PublicKey) -> Bool { engine.isRetired(identity) }
}
