import Ciphers
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// What is left in memory of class keys and of what they opened.
@Suite struct MemoryTests {
  private static func canaries(_ keys: ClassKeys, _ isWanted: (ProtectionClass) -> Bool = { _ in true }) -> [Canary] {
    keys.all.filter { isWanted($0.0) }.map { $0.1.withBytes { Canary(of: $0) } }
  }

  private static func found(_ canaries: [Canary]) -> Int {
    canaries.filter { MemoryScan.occurrences(of: $0) > 0 }.count
  }

  /// Opens everything, so that all keys have been in memory once.
  private static func filled(_ home: TemporaryHome) throws -> Vault {
    let vault = try home.create()
    try vault.add(Owner.passkey)
    let value = SecretBox(try SecretBytes(count: 32) { Canary(77).plant(in: $0) })
    let presence = try vault.present(Owner.passkey, now: 1)
    try vault.transaction([.put(.itemValue, [1], value, .biometricAny)], by: presence)
    return vault
  }

  @Test("Locking removes the session's keys from memory") func lockingLeavesNothingOfTheSessionsKeys() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryHome()
      let vault = try Self.filled(home)
      let session = try vault.withOpen { Self.canaries($0.keys) { $0.base == .whenUnlocked } }
      let lasting = try vault.withOpen { Self.canaries($0.keys) { $0.base == .afterFirstUnlock } }
      #expect(session.count == 2 && Self.found(session) == 2 && lasting.count == 2)
      vault.lock()
      #expect(Self.found(session) == 0)
      #expect(Self.found(lasting) == 2)
      try vault.unlock(with: Owner.passphrase(), now: 2)
      #expect(Self.found(session) == 2)
      vault.lock()
      #expect(Self.found(session) == 0)
      vault.close()
      #expect(Self.found(session + lasting) == 0)
    }
  }

  @Test("After presence ends, its keys and values are gone from memory")
  func aPresenceLeavesNothingOfItsKeysNorOfWhatItRead() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryHome()
      let vault = try Self.filled(home)
      #expect(MemoryScan.occurrences(of: Canary(77)) == 0)
      func use() throws -> [Canary] {
        let presence = try vault.present(Owner.passkey, now: 2)
        let keys = Self.canaries(presence.keys)
        #expect(keys.count == 6 && Self.found(keys) == 6)
        let value = try vault.secret(kind: .itemValue, id: [1], by: presence)
        #expect(value.count == 32 && MemoryScan.occurrences(of: Canary(77)) == 1)
        return keys
      }
      let keys = try use()
      #expect(Self.found(keys) == 0 && MemoryScan.occurrences(of: Canary(77)) == 0)
      // Nor does a proof leave them, where nothing is opened.
      try vault.verify(with: Owner.passkey, now: 3)
      try vault.unlock(with: Owner.passkey, now: 4)
      #expect(Self.found(keys) == 0)
      vault.close()
    }
  }

  @Test("A rotation removes the old class keys from memory") func aRotationLeavesNothingOfTheOldKeys() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryHome()
      let vault = try Self.filled(home)
      let old = try vault.withOpen { Self.canaries($0.keys) }
      try vault.rotateClassKeys(provenBy: [Owner.passphrase(), Owner.passkey], now: 2)
      #expect(Self.found(old) == 0)
      #expect(MemoryScan.occurrences(of: Canary(77)) == 0)
      vault.close()
    }
  }
}
