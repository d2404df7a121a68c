import Curve
import Encodings
import Foundation
import Mnemonics
import Nostr
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// NIP-06's first test vector.
let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"
let wordsKey = "7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a"
let wordsNsec = "nsec10allq0gjx7fddtzef0ax00mdps9t2kmtrldkyjfs8l5xruwvh2dq0lhhkp"
let wordsPublic = "17162c921dc4d2518f9a101db33695df1afb56ab82f5ff3e5da6eec3ca5cd917"
/// NIP-49's test vector, password "nostr".
let ncryptsec =
  "ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dgjtcxfqtd67p9m0w57lspw8gsq6yphnm8623nsl8xn9j4jdzz84zm3frztj3z7s35vpzmqf6ksu8r89qk5z2zxfmu5gv8th8wclt0h4p"

@Suite struct IdentityTests {
  let home = TemporaryHome()
  let vault: Vault
  let identities: Identities

  init() throws {
    vault = try home.create()
    identities = try Identities(vault)
  }

  private func take(
    _ text: String, _ name: String = "alice", help: ImportHelp = ImportHelp(takesPublished: true)
  ) throws -> Identity {
    try identities.importKey(secret(text), name: name, help: help, now: 1_700_000_000_500)
  }

  @Test("A new identity keeps its words") func aCreatedIdentityKeepsItsWords() throws {
    let identity = try identities.create(name: "alice", now: 1_700_000_000_500)
    #expect(identity.createdAt == 1_700_000_000 && identity.origin == .created && identity.account == 0)
    #expect(try identities.keyPair(for: identity.publicKey).publicKey == identity.publicKey)
    let stored = try identities.words(for: identity.publicKey)
    let derived = try NIP06.secretKey(seed: Mnemonic(words: stored).seed())
    #expect(try KeyPair(derived).publicKey == identity.publicKey)
    #expect(try Mnemonic(words: stored).wordCount == 12)
  }

  @Test(
    "A key that anybody can guess is refused",
    arguments: [
      "0000000000000000000000000000000000000000000000000000000000000001",
      "00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
      "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140",
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "abababababababababababababababababababababababababababababababab",
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "201f1e1d1c1b1a191817161514131211100f0e0d0c0b0a090807060504030201",
    ])
  func aGuessableKeyIsRefused(text: String) {
    #expect(throws: IdentityError.badKey(.guessable)) { try take(text) }
    #expect(identities.all.isEmpty)
    #expect(throws: Never.self, "what a kit restores is taken") { try take(text, help: ImportHelp(takesGuessable: true)) }
  }

  @Test("A key or words that everybody knows are refused, unless the owner takes them", arguments: [words, wordsKey, wordsNsec])
  func aPublishedKeyIsRefused(text: String) throws {
    #expect(PublishedKey.isOne(SecretBox(try secret(text))))
    #expect(throws: IdentityError.badKey(.published)) { try take(text, help: ImportHelp()) }
    #expect(identities.all.isEmpty)
    #expect(throws: Never.self) { try take(text) }
  }

  @Test("Words that everybody knows are one's own with a passphrase; other accounts of them are not")
  func onlyAPassphraseMakesPublishedWordsOnesOwn() throws {
    let passphrase = SecretBox(try secret("25th"))
    #expect(!PublishedKey.isOne(SecretBox(try secret(words)), passphrase: passphrase))
    #expect(throws: Never.self) { try take(words, help: ImportHelp(passphrase: passphrase)) }
    #expect(throws: IdentityError.badKey(.published)) { try take(words, "b", help: ImportHelp(account: 7)) }
    #expect(!PublishedKey.isOne(SecretBox(try secret("not a key"))))
  }

  @Test(
    "A key is imported from nsec, hex or words",
    arguments: [
      (wordsNsec, Identity.Origin.importedNsec), (wordsNsec.uppercased(), .importedNsec), ("  \(wordsNsec)\r\n", .importedNsec),
      (wordsKey, .importedHex), (wordsKey.uppercased() + "\n", .importedHex),
      (words, .importedMnemonic), ("\n" + words.replacingOccurrences(of: " ", with: " \n\t") + " ", .importedMnemonic),
    ])
  func everyFormOfAKeyIsRecognised(text: String, origin: Identity.Origin) throws {
    let identity = try take(text)
    #expect(identity.publicKey.hex == wordsPublic && identity.origin == origin)
    #expect(identity.account == (origin == .importedMnemonic ? 0 : nil))
    let pair = try identities.keyPair(for: identity.publicKey)
    #expect(try pair.secretKey().withBytes { Hex.encode($0) } == wordsKey)
    if origin == .importedMnemonic {
      #expect(try identities.words(for: identity.publicKey).array() == Array(words.utf8))
    } else {
      #expect(throws: VaultError.notFound) { _ = try identities.words(for: identity.publicKey) }
    }
  }

  @Test("An ncryptsec needs its password") func anNcryptsecNeedsItsPassword() throws {
    #expect(throws: IdentityError.badKey(.needsPassword)) { try take(ncryptsec) }
    #expect(throws: IdentityError.badKey(.wrongPassword)) {
      try take(ncryptsec, help: ImportHelp(password: SecretBox(try secret("wrong"))))
    }
    let identity = try take(ncryptsec + "\n", help: ImportHelp(password: SecretBox(try secret("nostr")), takesPublished: true))
    #expect(identity.origin == .importedNcryptsec)
    let key = try identities.keyPair(for: identity.publicKey).secretKey().withBytes { Hex.encode($0) }
    #expect(key == "3501454135014541350145413501453fefb02227e449e57cf4d3a3ce05378683")
  }

  @Test("Another account or passphrase gives another key") func accountAndPassphraseGiveOtherKeys() throws {
    let plain = try take(words, "a")
    let second = try take(words, "b", help: ImportHelp(account: 1, takesPublished: true))
    let guarded = try take(words, "c", help: ImportHelp(passphrase: SecretBox(try secret("TREZOR"))))
    #expect(Set([plain.publicKey, second.publicKey, guarded.publicKey]).count == 3)
    #expect(second.account == 1 && !second.hasWordsPassphrase && guarded.hasWordsPassphrase)
    #expect(throws: IdentityError.badKey(.accountOutOfRange)) {
      try take(words, "d", help: ImportHelp(account: 1 << 31, takesPublished: true))
    }
    vault.close()
    #expect(try Identities(home.open()).all.map(\.account) == identities.all.map(\.account))
  }

  private static let badKeys: [(String, KeyTextError)] = [
    ("", .unknownFormat), ("x", .unknownFormat), ("nsec", .unknownFormat), (String(wordsKey.dropLast()), .unknownFormat),
    (wordsKey + "0", .unknownFormat), (String(wordsKey.dropLast()) + "g", .unknownFormat),
    ("npub1zutzeysacnf9rru6zqwmxd54mud0k44tst6l70ja5mhv8jjumytsd2x7nu", .isPublicKey),
    (String(wordsNsec.dropLast()) + "q", .text(.nsec, .wrongChecksum)),
    (String(wordsNsec.dropLast(3)), .text(.nsec, .wrongChecksum)),
    ("nsec1", .text(.nsec, .tooShort)), ("Nsec1" + wordsNsec.dropFirst(5), .text(.nsec, .mixedCase)),
    (String(repeating: "0", count: 64), .notAKey(.hex)), (String(repeating: "f", count: 64), .notAKey(.hex)),
    (words + " bean", .words(.wordCount(13))),
    (words.replacingOccurrences(of: "monkey", with: "monkez"), .words(.unknownWord(position: 2))),
    (words.replacingOccurrences(of: "leader monkey", with: "monkey leader"), .words(.checksum)),
    (String(repeating: "a ", count: 2049), .tooLong(limit: 4096)),
  ]

  @Test("An invalid key is refused with its fault, and nothing is stored", arguments: badKeys)
  func badKeysAreNamedAndNothingIsKept(text: String, fault: KeyTextError) throws {
    // An empty text cannot be held as a secret at all: a blank one stands for it.
    let error = #expect(throws: IdentityError.badKey(fault)) { try take(text.isEmpty ? " " : text) }
    #expect(identities.all.isEmpty)
    if text.count > 8, let error { #expect(!"\(error)".contains(text.prefix(8))) }
  }

  @Test("A key or name that is already in the vault is refused") func theSameKeyOrNameIsRefused() throws {
    _ = try take(words, "alice")
    #expect(throws: IdentityError.alreadyHere(name: "alice")) { try take(wordsNsec, "bob") }
    #expect(throws: IdentityError.alreadyHere(name: "alice")) { try take(wordsKey, "alice") }
    #expect(throws: IdentityError.nameTaken) { try identities.create(name: "alice", now: 0) }
    #expect(identities.all.count == 1)
    #expect(try vault.ids(.identityKey).count == 1)
  }

  private static let badNames = [
    "", String(repeating: "a", count: 65), String(repeating: "ü", count: 33), "-a", "a/b", "/", "a\nb", "a\u{0}", "\u{7f}",
    "a\u{85}",
    " a", "a ", "a\u{202e}b", "a\u{2028}b", "\u{feff}a", wordsPublic, wordsPublic.uppercased(), wordsNsec, "NSEC1x",
    "ncryptsec1q", "npub1zutzeysacnf9rru6zqwmxd54mud0k44tst6l70ja5mhv8jjumytsd2x7nu",
  ]

  @Test("Invalid names are refused", arguments: badNames) func badNamesAreRefused(name: String) throws {
    #expect(throws: IdentityError.nameNotAllowed) { try identities.create(name: name, now: 0) }
    #expect(throws: IdentityError.nameNotAllowed) { try take(words, name) }
    let identity = try identities.create(name: "fine", now: 0)
    #expect(throws: IdentityError.nameNotAllowed) { try identities.rename(identity.publicKey, to: name) }
  }

  @Test(
    "Valid names are kept", arguments: ["a", String(repeating: "z", count: 64), "Ünïcode", "日本", "a b", "👩‍🚀", "a-b", "..", "npub"])
  func goodNamesComeBack(name: String) throws {
    _ = try identities.create(name: name, now: 0)
    vault.close()
    #expect(try Identities(home.open()).all.map(\.name) == [name])
  }

  @Test("An identity is found by its name, npub or hex key") func identitiesAreFoundByNameNpubAndHex() throws {
    let identity = try take(words, "alice")
    for text in ["alice", identity.publicKey.hex, identity.publicKey.hex.uppercased(), identity.publicKey.npub] {
      #expect(identities.find(text) == identity)
    }
    for text in ["Alice", "", "bob", String(identity.publicKey.hex.dropLast())] { #expect(identities.find(text) == nil) }
  }

  @Test("A new name is kept, and a name in use is refused") func renamingLastsAndKeepsNamesApart() throws {
    let (a, b) = (try identities.create(name: "a", now: 1000), try identities.create(name: "b", now: 2000))
    #expect(throws: IdentityError.nameTaken) { try identities.rename(a.publicKey, to: "b") }
    #expect(throws: IdentityError.vault(.notFound)) { try identities.rename(PublicKey(Bytes32()), to: "c") }
    try identities.rename(a.publicKey, to: "a")
    #expect(try identities.rename(a.publicKey, to: "c").name == "c")
    vault.close()
    #expect(try Identities(home.open()).all.map(\.name) == ["c", "b"])
    #expect(b.name == "b")
  }

  @Test("When the default identity is deleted, another becomes the default") func theDefaultMovesOn() throws {
    #expect(identities.defaultIdentity == nil)
    let all = try (1...3).map { try identities.create(name: "\($0)", now: Int64($0) * 1000) }
    #expect(identities.defaultIdentity == all[0])
    try identities.setDefault(all[2].publicKey)
    #expect(throws: VaultError.notFound) { try identities.setDefault(PublicKey(Bytes32())) }
    #expect(try identities.delete(all[1].publicKey) == all[2])
    #expect(try identities.delete(all[2].publicKey) == all[0])
    #expect(throws: VaultError.notFound) { try identities.delete(all[2].publicKey) }
    #expect(throws: VaultError.notFound) { try identities.keyPair(for: all[2].publicKey) }
    #expect(try identities.delete(all[0].publicKey) == nil)
    #expect(identities.all.isEmpty && identities.defaultIdentity == nil)
    for kind in [RecordKind.identity, .identityKey, .identityWords, .setting] { #expect(try vault.ids(kind).isEmpty) }
    let next = try identities.create(name: "next", now: 0)
    #expect(identities.defaultIdentity == next)
  }

  @Test("Everything that belongs to an identity is deleted with it") func whatBelongsToAnIdentityGoesWithIt() throws {
    let identity = try identities.create(name: "a", now: 0)
    try vault.transaction([.put(.itemNote, [1], [2])])
    try identities.delete(identity.publicKey, also: [.delete(kind: .itemNote, id: [1])])
    #expect(try vault.records(.itemNote).isEmpty)
  }

  @Test("The names of identities can be read while the vault is locked") func namesStayReadableWhileKeysAreLocked() throws {
    let identity = try identities.create(name: "a", now: 0)
    vault.lock()
    #expect(try Identities(vault).find("a") == identity)
    #expect(throws: VaultError.locked) { try identities.keyPair(for: identity.publicKey) }
    #expect(throws: IdentityError.vault(.locked)) { try identities.create(name: "b", now: 0) }
    #expect(identities.all == [identity])
  }

  @Test("A key that is stored under another identity is not used") func aKeyUnderAnotherIdentitysNameIsNotUsed() throws {
    let (a, b) = (try identities.create(name: "a", now: 0), try identities.create(name: "b", now: 0))
    let other = SecretBox(try vault.secret(kind: .identityKey, id: b.publicKey.bytes.array))
    try vault.transaction([.put(.identityKey, a.publicKey.bytes.array, other, .whenUnlocked)])
    #expect(throws: VaultError.corrupt(what: "identity key")) { try identities.keyPair(for: a.publicKey) }
  }

  @Test("Only one of several identities made at once with the same name is kept") func sameNamesFromManyThreadsLeaveOne() throws {
    let identities = identities
    DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? identities.create(name: "one", now: 0) }
    #expect(identities.all.count == 1)
    #expect(try vault.ids(.identityKey).count == 1)
  }

  /// Format stability: these bytes are on people's disks.
  @Test("An identity in the format of the first version is read") func anIdentityOfTheFirstVersionIsRead() throws {
    let identity = Identity(
      name: "ü", publicKey: PublicKey(Bytes32()), createdAt: 0x0102_0304, origin: .importedMnemonic, account: 5,
      hasWordsPassphrase: true, words: Bytes32())
    let bytes = "01" + "05" + "0000000001020304" + "03" + "00000005" + "c3bc"
    #expect(try read(bytes) == identity)
    #expect(try read("01" + "02" + "0000000001020304" + "00" + "61")?.words == nil)
    for bad in ["", "01", "0109", "0105000000000102030404", bytes + "0a", "01050000000001020304030000", "0105000000000102030400"]
    {
      #expect(try read(bad) == nil)
    }
  }

  /// Format stability: these bytes are on people's disks.
  @Test("The stored form of an identity keeps its published bytes") func aKnownIdentityHasKnownBytes() throws {
    var details = IdentityDetails()
    details.set(colour: Colour(red: 1, green: 2, blue: 3))
    try details.set(emoji: "🦊")
    try details.set(relays: ["wss://a", "ws://b"])
    try details.set(notes: "n")
    var identity = Identity(
      name: "ü", publicKey: PublicKey(Bytes32()), createdAt: 0x0102_0304, origin: .derived, account: 5,
      hasWordsPassphrase: true, words: Bytes32(), keySecurity: 2, details: details)
    identity.isRetired = true
    let head = "02" + "07" + "0000000001020304" + "06"
    let bytes =
      head + "010002c3bc" + "02000400000005" + "030020" + String(repeating: "00", count: 32) + "040003010203"
      + "050004f09fa68a" + "0600077773733a2f2f61" + "06000677733a2f2f62" + "0700016e" + "08000102"
    #expect(Hex.encode(identity.recordValue) == bytes)
    #expect(try read(bytes) == identity)
    let plain = "02" + "01" + "0000000000000000" + "00" + "01000161"
    #expect(try read(plain)?.name == "a")
    for bad in [
      "02", head, bytes + "09000100", plain + "01000161", plain + "07000161" + "05000161", "02ff" + plain.dropFirst(4),
      plain.replacingOccurrences(of: "0001000161", with: "0801000161"),
      plain.replacingOccurrences(of: "00010001", with: "00010002"),
      plain + "040002aabb", plain + "05000161", plain + "06000161", plain + "0800010a", plain + "0800", plain + "080002",
      plain + "0200020000", plain + "06000677733a2f2f6206000677733a2f2f62",
    ] {
      #expect(try read(bad) == nil, "\(bad)")
    }
  }

  private func read(_ hex: String) throws -> Identity? {
    Identity(Record(id: [UInt8](repeating: 0, count: 32), value: try #require(Hex.decode(hex))))
  }
}
