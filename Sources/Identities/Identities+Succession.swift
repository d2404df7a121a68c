public import Curve
import SecretMemory
public import Vault

extension Identities {
  /// A fresh key from fresh words that takes another's place, and what belongs to that, in one transaction.
  /// - Parameters:
  ///   - held: where its class needs presence.
  ///   - also: gets the new key pair; what it returns is stored with it. What it throws leaves everything as it was.
  /// - Throws: as `create`.
  public func createSuccessor(
    _ new: NewIdentity, by held: HeldPresence? = nil, now: Int64, also: (KeyPair) throws(VaultError) -> [RecordChange]
  ) throws(IdentityError) -> Identity {
    try IdentityName.check(new.name)
    let text = try KeyText(random: 12, passphrase: nil, origin: .rotated)
    let pair: KeyPair
    do { pair = try KeyPair(text.key) } catch { throw .outOfMemory }
    let changes = try vaultStep { () throws(VaultError) in try also(pair) }
    return try add(text, new, now, also: changes, by: held)
  }
}
