public import Curve
public import Mnemonics
public import SecretMemory

/// Keys from a mnemonic (NIP-06): BIP-32 along `m/44'/1237'/<account>'/0/0`.
public enum NIP06 {
  /// The coin type of Nostr in SLIP-44.
  static let coinType: UInt32 = 1237

  /// The path of an account.
  /// - Throws: `.malformedPath(component: 3)` for an account of 2^31 or more.
  public static func path(account: UInt32 = 0) throws(ExtendedKeyError) -> DerivationPath {
    try DerivationPath(parsing: "m/44'/\(coinType)'/\(account)'/0/0")
  }

  /// The secret key of an account.
  /// - Parameter seed: the 64 bytes of `Mnemonic.seed()`, with or without a passphrase.
  /// - Throws: `.malformedPath(component: 3)` for an account of 2^31 or more, `.noKeyHere` once in 2^127 keys.
  public static func secretKey(seed: borrowing SecretBytes, account: UInt32 = 0) throws(ExtendedKeyError) -> SecretKey {
    try ExtendedKey(seed: seed).descendant(at: try path(account: account)).secretKey()
  }
}
