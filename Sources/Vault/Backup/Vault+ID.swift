extension Vault {
  /// Tells this vault from others, the same in its backups: 16 bytes, not secret. Empty when it was closed.
  public var id: [UInt8] { (try? withOpen { open throws(VaultError) in open.header.vaultID }) ?? [] }
}
