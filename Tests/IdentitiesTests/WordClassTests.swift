import Curve
import Encodings
import Nostr
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// Words give every key that came from them: they must never be easier to get at than one of those keys.
@Suite struct WordClassTests {
  let home = TemporaryHome()
  let vault: Vault
  let identities: Identities
  let strict: Identity
  let open: Identity

  init() throws {
    vault = try home.create()
    identities = try Identities(vault)
    strict = try identities.importKey(secret(words), name: "strict", help: .published, now: 0)
    open = try identities.derive(from: strict.publicKey, as: NewIdentity("open"), now: 0)
  }

  private func classOfWords() throws -> ProtectionClass? {
    try vault.protection(of: .identityWords, id: #require(strict.words).array)
  }

  @Test("Words do not follow one key into a class that exposes another account")
  func wordsOfAnotherAccountDoNotFollowAKeyIntoTheClassThatStaysOpen() throws {
    try identities.reclass(open.publicKey, to: .afterFirstUnlock)
    #expect(try classOfWords() == .whenUnlocked)
    vault.lock()
    // What a program with the keyring has; the other account's key would follow from the words.
    #expect(try identities.keyPair(for: open.publicKey).publicKey == open.publicKey)
    #expect(throws: VaultError.locked) { _ = try identities.words(for: open.publicKey) }
    #expect(throws: VaultError.locked) { try identities.keyPair(for: strict.publicKey) }
  }

  @Test("Words of a key that needs a passkey cannot be opened by passphrase")
  func wordsOfAKeyThatWantsAPasskeyDoNotFollowAnotherToThePassphrase() throws {
    try FixedPasskey().add(to: vault)
    let held = HeldPresence(try vault.present(FixedPasskey(), now: 1))
    try identities.reclass(strict.publicKey, to: .biometricAny, by: held)
    #expect(try classOfWords() == .biometricAny)
    try identities.reclass(open.publicKey, to: .biometricOrPasscode, by: held)
    #expect(try classOfWords() == .biometricAny)
    let typed = HeldPresence(try vault.present(PassphraseOpener(SecretBox(secret("open sesame"))), now: 2))
    #expect(throws: VaultError.notEntitled(.biometricAny)) { _ = try identities.words(for: open.publicKey, by: typed) }
  }

  @Test("Words change class when no account loses protection") func wordsFollowWhereNoAccountOfTheirsLosesByIt() throws {
    try identities.delete(strict.publicKey)
    try identities.reclass(open.publicKey, to: .afterFirstUnlock)
    #expect(try classOfWords() == .afterFirstUnlock)
    // A new account of them that shall be closed takes them along.
    _ = try identities.derive(from: open.publicKey, account: 7, as: NewIdentity("closed"), now: 0)
    #expect(try classOfWords() == .whenUnlocked)
    // One that may be open leaves them where they are.
    _ = try identities.derive(
      from: open.publicKey, account: 8, as: NewIdentity("open too", protection: .afterFirstUnlock), now: 0)
    #expect(try classOfWords() == .whenUnlocked)
  }
}
