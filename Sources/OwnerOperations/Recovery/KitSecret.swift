import Curve
import Encodings
import Identities
import Mnemonics
import Nostr
import OwnerAPI
import SecretMemory
import Vault

/// The secret in the shares of one identity's kit, and the identity that it gives.
enum KitSecret {
  /// The identity's words if they alone give its key: twelve words make shares of 20 words. Otherwise the key itself: shares of
  /// 33 words.
  static func of(
    _ identity: Identity, in identities: Identities, by held: HeldPresence?
  ) throws -> (content: RecoveryKit.Content, secret: SecretBox) {
    if let account = identity.account, !identity.hasWordsPassphrase,
      let entropy = try englishEntropy(identity, identities, held),
      try accounts(of: entropy)?.publicKey(account) == identity.publicKey
    {
      return (.words(identity.publicKey, account: account), entropy)
    }
    let pair = try identities.keyPair(for: identity.publicKey, by: held)
    return (.key(identity.publicKey), try secretKey(of: pair))
  }

  /// - Returns: nil if the key is not from words, or from words in a language that the entropy does not tell.
  private static func englishEntropy(
    _ identity: Identity, _ identities: Identities, _ held: HeldPresence?
  ) throws -> SecretBox? {
    do {
      let mnemonic = try Mnemonic(words: try identities.words(for: identity.publicKey, by: held), language: .english)
      return SecretBox(try mnemonic.entropy())
    } catch let error as VaultError {
      if case .notFound = error { return nil }
      throw error
    } catch is MnemonicError { return nil }
  }

  private static func secretKey(of pair: KeyPair) throws -> SecretBox {
    let key = try pair.secretKey()
    return SecretBox(try key.withBytes { bytes throws(SecretBytesError<Never>) in try SecretBytes(copying: bytes) })
  }

  /// - Returns: nil if the secret is not a key.
  static func publicKey(ofKey secret: SecretBox) -> PublicKey? {
    guard secret.count == 32, let copy = try? secret.duplicate() else { return nil }
    return try? KeyPair(SecretKey(copy)).publicKey
  }

  /// The accounts of the English words with this entropy.
  /// - Returns: nil if the secret is not an entropy.
  static func accounts(of secret: SecretBox) throws(IdentityError) -> WordAccounts? {
    let words: SecretBytes
    do { words = try Mnemonic(entropy: try secret.duplicate()).words() } catch let error as MnemonicError {
      guard error != .outOfMemory else { throw .vault(.outOfMemory) }
      return nil
    } catch { throw .vault(.outOfMemory) }
    return try WordAccounts(words: words)
  }

  /// The secret as text that an import can read.
  static func text(of secret: SecretBox, areWords: Bool) throws -> SecretBytes {
    do {
      if areWords { return try Mnemonic(entropy: try secret.duplicate()).words() }
      return try hex(of: secret)
    } catch { throw OperationError.neitherKeyNorWords }
  }

  /// Two lower-case digits for each byte.
  static func hex(of secret: SecretBox) throws -> SecretBytes {
    try SecretBytes(count: secret.count * 2) { target in
      secret.withBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          target[2 * index] = hexDigit(byte >> 4)
          target[2 * index + 1] = hexDigit(byte & 15)
        }
      }
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
