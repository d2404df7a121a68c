public import Curve
import Mnemonics
import Nostr
public import SecretMemory

/// The accounts of one mnemonic under one passphrase (NIP-06).
public struct WordAccounts: Sendable {
  private let seed: SecretBox

  /// - Parameters:
  ///   - words: as a person types them.
  ///   - passphrase: BIP-39's; nil is none. Any passphrase gives keys, never an error.
  /// - Throws: `.badKey`, `.vault(.outOfMemory)`.
  public init(words: borrowing SecretBytes, passphrase: SecretBox? = nil) throws(IdentityError) {
    do {
      try self.init(Mnemonic(words: words), passphrase: passphrase)
    } catch let error as MnemonicError {
      throw error == .outOfMemory ? .outOfMemory : .badKey(.words(error))
    } catch { throw .outOfMemory }
  }

  init(_ mnemonic: borrowing Mnemonic, passphrase: SecretBox?) throws {
    if let passphrase {
      seed = SecretBox(try mnemonic.seed(passphrase: passphrase.duplicate()))
    } else {
      seed = SecretBox(try mnemonic.seed())
    }
  }

  /// - Parameter account: below 2^31.
  /// - Throws: `.badKey(.accountOutOfRange)`, `.badKey(.notAKey)` once in 2^127 accounts, `.vault(.outOfMemory)`.
  public func publicKey(_ account: UInt32) throws(IdentityError) -> PublicKey {
    let key = try key(account)
    do { return try KeyPair(key).publicKey } catch { throw .outOfMemory }
  }

  func key(_ account: UInt32) throws(IdentityError) -> SecretKey {
    guard account < ChildIndex.hardenedStart else { throw .badKey(.accountOutOfRange) }
    let seed: SecretBytes
    do { seed = try self.seed.duplicate() } catch { throw .outOfMemory }
    do { return try NIP06.secretKey(seed: seed, account: account) } catch {
      throw error == .outOfMemory ? .outOfMemory : .badKey(.notAKey(.mnemonic))
    }
  }
}
