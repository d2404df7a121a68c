public import Mnemonics
public import Nostr
public import SecretMemory

/// The forms in which a secret key can be given.
public enum KeyForm: String, Sendable, Equatable { case nsec, hex, ncryptsec, mnemonic }

/// What is wrong with the text of a key. No case carries any of it.
public enum KeyFault: Error, Equatable, Sendable {
  /// None of: nsec, 64 hex digits, ncryptsec, the words of a mnemonic.
  case unknownFormat
  /// A public key was given, and the secret one is wanted.
  case isPublicKey
  /// More bytes than any form of a key has.
  case tooLong(limit: Int)
  /// A fault in an `nsec` or `ncryptsec`.
  case text(KeyForm, EntityError)
  /// A fault in the words.
  case words(MnemonicError)
  /// Well formed, and no secret key of the curve.
  case notAKey(KeyForm)
  /// An `ncryptsec` without its password.
  case needsPassword
  /// Not the password of this `ncryptsec`.
  case wrongPassword
  /// A NIP-06 account is a number below 2^31.
  case accountOutOfRange
}

/// What it may take to read a key, beside its text.
public struct ImportHelp: Sendable {
  /// For an `ncryptsec`.
  public var password: SecretBox?
  /// For words: the BIP-39 passphrase. nil is none.
  public var passphrase: SecretBox?
  /// For words: the NIP-06 account, below 2^31.
  public var account: UInt32

  /// Nothing, unless told otherwise.
  public init(password: SecretBox? = nil, passphrase: SecretBox? = nil, account: UInt32 = 0) {
    (self.password, self.passphrase, self.account) = (password, passphrase, account)
  }
}
