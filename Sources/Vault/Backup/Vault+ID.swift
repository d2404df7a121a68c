extension Vault {
  /// Distinguishes this vault from others, and is the same in its backups: 16 bytes, not secret. Empty after it was closed.
  public var id: [UInt8] { (try? withOpen { open throws(VaultError) in open.header.vaultID }) ?? [] }
}
