import Encodings
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct LockingTests {
  static let key = Canary(0x10c4).array

  private func unlocked() throws -> (TemporaryHome, Vault) {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.identity, [7], Array("main".utf8)), .put(.identityKey, [7], try box(Self.key), .whenUnlocked)])
    return (home, vault)
  }

  @Test("Locking removes keys and words from memory and leaves the rest") func lockingTakesKeysAndWordsAndLeavesTheRest() throws {
    let (_, vault) = try unlocked()
    #expect(!vault.isLocked)
    vault.lock()
    vault.lock()
    #expect(vault.isLocked)
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .identityKey, id: [7]) }
    #expect(throws: VaultError.locked) { try vault.transaction([.put(.identityKey, [8], try box([1]), .whenUnlocked)]) }
    #expect(try vault.records(.identity).map(\.value) == [Array("main".utf8)])
    try vault.transaction([.put(.setting, [1], [2])])
    #expect(try vault.value(.setting, id: [1]) == [2])
    vault.close()
  }

  @Test("Unlocking gives the keys back while the file stays in use") func unlockingGivesThemBackWithoutLettingTheFileGo() throws {
    let (home, vault) = try unlocked()
    vault.lock()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try vault.unlock(passphrase: secret("no"), now: 1) }
    #expect(vault.isLocked)
    #expect(throws: VaultError.inUse(pid: getpid())) { try home.open() }
    #expect(try vault.unlock(passphrase: secret("open sesame"), now: 2) == 1)
    #expect(!vault.isLocked)
    #expect(try vault.secret(kind: .identityKey, id: [7]).array() == Self.key)
    // What was changed meanwhile is there, and the vault opens as ever.
    vault.close()
    try home.open().close()
  }

  /// As for opening, and each counts for the other.
  @Test("Attempts to unlock are slowed down like attempts to open") func attemptsToUnlockAreThrottled() throws {
    let (home, vault) = try unlocked()
    vault.lock()
    for _ in 0..<2 {
      #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try vault.unlock(passphrase: secret("no"), now: 5_000) }
    }
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 1)) { try vault.verify(passphrase: secret("no"), now: 5_000) }
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try vault.unlock(passphrase: secret("open sesame"), now: 5_999) }
    #expect(vault.isLocked)
    // Set back: neither over nor longer. Set forward: over, where the caller gives the time of day.
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try vault.unlock(passphrase: secret("open sesame"), now: 0) }
    vault.close()
    #expect(throws: VaultError.throttled(waitSeconds: 1)) { try home.open(now: 500) }
    let again = try home.open(now: 1_000)
    #expect(again.failedAttempts == 3)
    again.close()
  }

  @Test("A wrong credential tried elsewhere counts, and one that opens or was not tried leaves the count as it was")
  func attemptsElsewhereAreThrottled() throws {
    let (_, vault) = try unlocked()
    defer { vault.close() }
    func attempt(_ outcome: Int?, _ now: Int64) throws -> Int { try vault.attempt(elsewhere: .recovery, now: now) { outcome } }
    for wait in [0, 0, 1] {
      #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: wait)) { try attempt(nil, 5_000) }
    }
    #expect(throws: KeyStoreError.vault(.throttled(waitSeconds: 1))) { try attempt(1, 5_999) }
    #expect(try attempt(1, 6_000) == 1)
    #expect(throws: VaultError.notFound) {
      try vault.attempt(elsewhere: .recovery, now: 6_000) { () throws -> Int? in throw VaultError.notFound }
    }
    #expect(throws: KeyStoreError.authenticationFailed(triesLeft: nil, waitSeconds: 2)) { try attempt(nil, 6_000) }
  }

  @Test("Checking a passphrase does not unlock the vault") func aCheckedPassphraseOpensNothing() throws {
    let (_, vault) = try unlocked()
    vault.lock()
    #expect(try vault.verify(passphrase: secret("open sesame"), now: 1) == 0)
    #expect(vault.isLocked)
    vault.close()
    #expect(throws: VaultError.closed) { try vault.unlock(passphrase: secret("open sesame"), now: 1) }
  }

  @Test("Locking keeps the class keys that stay open after the first unlock") func lockingLeavesTheOtherClassKeyAlone() throws {
    let (_, vault) = try unlocked()
    #expect(
      try vault.withOpen { open in open.keys.all.map(\.0) } == [
        .afterFirstUnlock, .whenUnlocked, .afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly,
      ])
    vault.lock()
    #expect(
      try vault.withOpen { open in open.keys.all.map(\.0) } == [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly])
    vault.close()
  }
}
