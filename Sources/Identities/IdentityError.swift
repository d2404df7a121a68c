public import Vault

/// Why an identity could not be made, found or changed. No case carries a secret or what was typed.
public enum IdentityError: Error, Equatable, Sendable {
  /// An identity of this name exists.
  case nameTaken
  /// This key is here already, under this name.
  case alreadyHere(name: String)
  /// A name is 1 to 64 bytes of UTF-8 without control characters or `/`, does not begin with `-`, and is no key.
  case nameNotAllowed
  /// The text of a key cannot be read; says what is wrong with it.
  case badKey(KeyTextError)
  /// The BIP-39 passphrase is not the one that went into these words with this identity.
  case otherWordsPassphrase
  /// The vault refused: `.notFound` for an identity that is not there, `.locked`, `.io` and so on.
  case vault(VaultError)

  /// No guarded memory, or none for a password function.
  package static let outOfMemory = IdentityError.vault(.outOfMemory)
}

/// Runs a step of the vault, and throws this module's error.
func vaultStep<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) throws(IdentityError) -> Result {
  do { return try body() } catch { throw .vault(error) }
}
