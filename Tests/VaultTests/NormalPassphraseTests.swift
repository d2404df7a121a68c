import Ciphers
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// One passphrase, however its characters are put together.
@Suite struct NormalPassphraseTests {
  /// As two keyboards or systems write the same text, and its form NFKC.
  static let spellings: [(String, String)] = [
    ("p\u{e4}ssw\u{f6}rd", "pa\u{308}sswo\u{308}rd"),
    ("\u{1100}\u{1161}\u{11a8} key", "\u{ac01} key"),
    ("\u{fb01}ne \u{2460}", "fine 1"),
    ("\u{ff41}\u{ff42} \u{a0}c", "ab  c"),
  ]

  @Test("A passphrase opens the vault in every Unicode spelling", arguments: spellings)
  func eachSpellingOpens(one: String, other: String) throws {
    for (made, typed) in [(one, other), (other, one), (one, one), (other, other)] {
      let home = TemporaryHome()
      try home.create(made).close()
      let vault = try home.open(typed)
      #expect(vault.failedAttempts == 0)
      vault.lock()
      try vault.unlock(passphrase: secret(typed), now: 2)
      vault.close()
    }
  }

  @Test("A vault of an earlier version opens with the passphrase bytes as they were typed", arguments: spellings)
  func rawSlotsOpen(one: String, other: String) throws {
    for typed in [one, other] {
      let home = TemporaryHome()
      try Self.rawVault(home, typed).close()
      let vault = try home.open(typed)
      #expect(vault.failedAttempts == 0)
      _ = try vault.testSlot(with: Owner.passphrase(typed), now: 3)
      vault.close()
    }
  }

  @Test("A wrong passphrase counts as one attempt, however many spellings were tried")
  func aWrongOneCountsOnce() throws {
    let home = TemporaryHome()
    try home.create().close()
    for now in [Int64(1), 2] {
      #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("wro\u{308}ng", now: now) }
    }
    #expect(try home.open(now: 3).failedAttempts == 2)
  }

  @Test("A changed passphrase opens the vault in every spelling")
  func aChangedPassphraseIsNormal() throws {
    let home = TemporaryHome()
    let (typed, other) = Self.spellings[0]
    let vault = try Self.rawVault(home, typed)
    try vault.changePassphrase(
      shown: Owner.passphrase(typed), to: .passphrase(secret(typed), cost: .floor), now: 4)
    vault.close()
    #expect(try home.open(other).failedAttempts == 0)
  }

  @Test("A passphrase that is not text, or is very long, is used byte for byte")
  func otherBytesStayAsTheyAre() throws {
    for bytes: [UInt8] in [[0xff, 0xfe, 0x20, 0x61], [UInt8](repeating: 0x61, count: 5000) + Array("a\u{308}".utf8)] {
      let home = TemporaryHome()
      try Vault.create(home: home.path, passphrase: box(bytes).duplicate(), cost: .floor, kinds: .tests).close()
      #expect(try Vault.open(home: home.path, passphrase: box(bytes).duplicate(), now: 1, kinds: .tests).failedAttempts == 0)
    }
  }

  /// As earlier versions made a vault.
  private static func rawVault(_ home: TemporaryHome, _ typed: String) throws -> Vault {
    let salt = [UInt8](repeating: 7, count: Argon2id.saltLength)
    let secret = try box(Array(typed.utf8)).withBytes { bytes throws(VaultError) in
      try PassphraseParameters.key(bytes, salt, .floor)
    }
    let first = SlotEnrolment(type: .passphrase, parameters: PassphraseParameters.bytes(.floor, salt), secret: secret)
    return try Vault.create(home: home.path, first: first, label: "", now: 1, kinds: .tests)
  }
}
