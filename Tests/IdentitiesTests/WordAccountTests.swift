import Curve
import Encodings
import Mnemonics
import Nostr
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import Identities
@testable import Vault

@Suite struct WordAccountTests {
  let home = TemporaryHome()
  let vault: Vault
  let identities: Identities

  init() throws {
    vault = try home.create()
    identities = try Identities(vault)
  }

  private func secretBox(_ text: String) throws -> SecretBox { SecretBox(try secret(text)) }

  @Test("An identity can be made with 12, 15, 18, 21 or 24 words", arguments: [12, 15, 18, 21, 24])
  func anyNumberOfWordsIsMade(count: Int) throws {
    let key = try identities.create(NewIdentity("a"), words: count, now: 0).publicKey
    #expect(try Mnemonic(words: identities.words(for: key)).wordCount == count)
  }

  @Test("Another number of words is refused") func anotherNumberOfWordsIsRefused() throws {
    #expect(throws: IdentityError.badKey(.words(.wordCount(13)))) { try identities.create(NewIdentity("a"), words: 13, now: 0) }
    #expect(identities.all.isEmpty)
  }

  @Test("The next account is derived from the same words") func theNextAccountIsDerivedFromTheSameWords() throws {
    let first = try identities.importKey(secret(words), name: "zero", help: .published, now: 0)
    let second = try identities.derive(from: first.publicKey, as: NewIdentity("one"), now: 0)
    let fifth = try identities.derive(from: second.publicKey, account: 5, as: NewIdentity("five"), now: 0)
    let sixth = try identities.derive(from: first.publicKey, as: NewIdentity("six"), now: 0)
    #expect([second, fifth, sixth].map(\.account) == [1, 5, 6] && fifth.origin == .derived)
    let seed = try Mnemonic(words: secret(words)).seed()
    for identity in [first, second, fifth, sixth] {
      let expected = try KeyPair(NIP06.secretKey(seed: seed, account: try #require(identity.account)))
      #expect(expected.publicKey == identity.publicKey)
      #expect(try identities.keyPair(for: identity.publicKey).publicKey == identity.publicKey)
      #expect(try identities.words(for: identity.publicKey).array() == Array(words.utf8))
    }
    #expect(try vault.ids(.identityWords).count == 1)
    #expect(throws: IdentityError.alreadyHere(name: "one")) {
      try identities.derive(from: first.publicKey, account: 1, as: NewIdentity("again"), now: 0)
    }
    #expect(throws: IdentityError.badKey(.accountOutOfRange)) {
      try identities.derive(from: first.publicKey, account: 1 << 31, as: NewIdentity("far"), now: 0)
    }
  }

  @Test("The words are kept until the last of their accounts is deleted")
  func theWordsStayUntilTheLastOfTheirAccountsIsDeleted() throws {
    let first = try identities.importKey(secret(words), name: "zero", help: .published, now: 0)
    let second = try identities.derive(from: first.publicKey, as: NewIdentity("one"), now: 0)
    try identities.delete(first.publicKey)
    #expect(try identities.words(for: second.publicKey).array() == Array(words.utf8))
    let third = try identities.derive(from: second.publicKey, account: 0, as: NewIdentity("zero again"), now: 0)
    #expect(third.publicKey == first.publicKey)
    vault.close()
    let reopened = try home.open()
    let again = try Identities(reopened)
    try again.delete(second.publicKey)
    try again.delete(third.publicKey)
    #expect(try reopened.ids(.identityWords).isEmpty)
  }

  @Test("Words that are already in the vault are stored once") func wordsThatAreHereAreKeptOnce() throws {
    let first = try identities.importKey(secret(words), name: "zero", help: .published, now: 0)
    let third = try identities.importKey(secret(words), name: "three", help: ImportHelp(account: 3, takesPublished: true), now: 0)
    #expect(first.words == third.words)
    #expect(try vault.ids(.identityWords).count == 1)
  }

  @Test("A further account needs the same passphrase for the words") func aPassphraseIsAskedForAgainAndMustBeTheSame() throws {
    let guarded = try identities.importKey(
      secret(words), name: "guarded", help: ImportHelp(passphrase: secretBox("TREZOR")), now: 0)
    for wrong in [nil, try secretBox("trezor")] {
      #expect(throws: IdentityError.otherWordsPassphrase) {
        try identities.derive(from: guarded.publicKey, as: NewIdentity("b"), passphrase: wrong, now: 0)
      }
    }
    let second = try identities.derive(from: guarded.publicKey, as: NewIdentity("b"), passphrase: secretBox("TREZOR"), now: 0)
    let seed = try Mnemonic(words: secret(words)).seed(passphrase: secret("TREZOR"))
    #expect(second.account == 1 && second.hasWordsPassphrase)
    #expect(try KeyPair(NIP06.secretKey(seed: seed, account: 1)).publicKey == second.publicKey)
  }

  @Test("A passphrase for plain words begins a new series of accounts") func aPassphraseOnPlainWordsBeginsOtherAccounts() throws {
    let plain = try identities.importKey(secret(words), name: "plain", help: .published, now: 0)
    let guarded = try identities.derive(from: plain.publicKey, as: NewIdentity("b"), passphrase: secretBox("25th"), now: 0)
    #expect(guarded.account == 0 && guarded.hasWordsPassphrase && guarded.words == plain.words)
    #expect(try identities.derive(from: plain.publicKey, as: NewIdentity("c"), now: 0).account == 1)
  }

  @Test("A new identity can have a passphrase for its words") func aCreatedIdentityMayHaveAPassphrase() throws {
    let identity = try identities.create(NewIdentity("a"), words: 24, passphrase: secretBox("25th"), now: 0)
    #expect(identity.hasWordsPassphrase)
    let stored = try identities.words(for: identity.publicKey)
    #expect(try WordAccounts(words: stored).publicKey(0) != identity.publicKey)
    #expect(try WordAccounts(words: stored, passphrase: secretBox("25th")).publicKey(0) == identity.publicKey)
  }

  @Test("A key without words has no further accounts") func aKeyWithoutWordsHasNoFurtherAccounts() throws {
    let identity = try identities.importKey(secret(wordsNsec), name: "a", help: .published, now: 0)
    #expect(throws: IdentityError.vault(.notFound)) {
      try identities.derive(from: identity.publicKey, as: NewIdentity("b"), now: 0)
    }
  }

  @Test("The published accounts are derived", .vectors("NIP-06 through the vault")) func publishedAccounts() throws {
    for vector in try Vectors.cases("nip06/vectors.json", "vectors") {
      let accounts = try WordAccounts(words: secret(#require(vector["mnemonic"] as? String)))
      #expect(try accounts.publicKey(0).hex == vector["public_key"] as? String)
    }
  }
}
