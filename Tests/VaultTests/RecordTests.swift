import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct RecordTests {
  @Test("Records are read back in order, even after reopening") func recordsComeBackInOrderAndAfterReopening() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.pairing, [9], []), .put(.pairing, [1, 2], [7]), .put(.setting, [9], [8], .whenUnlocked)])
    let expected = [Record(id: [1, 2], value: [7]), Record(id: [9], value: [])]
    #expect(try vault.records(.pairing) == expected)
    vault.close()
    let again = try home.open()
    #expect(try again.records(.pairing) == expected)
    #expect(try again.value(.setting, id: [9]) == [8])
    #expect(try again.value(.setting, id: [1]) == nil)
    #expect(try again.ids(.pairing) == [[1, 2], [9]])
  }

  @Test("Records can be replaced and deleted") func recordsAreReplacedAndDeleted() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.setting, [1], [1])])
    try vault.transaction([.put(.setting, [1], [2], .whenUnlocked), .put(.setting, [2], [2])])
    #expect(try vault.records(.setting) == [Record(id: [1], value: [2]), Record(id: [2], value: [2])])
    try vault.transaction([.delete(kind: .setting, id: [1]), .delete(kind: .setting, id: [77])])
    #expect(try vault.records(.setting) == [Record(id: [2], value: [2])])
  }

  @Test("Secret records can be read only as secrets") func secretsStayInGuardedMemory() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let key = [UInt8](0..<32)
    try vault.transaction([.put(.identityKey, [5], try box(key), .whenUnlocked)])
    #expect(try vault.secret(kind: .identityKey, id: [5]).array() == key)
    #expect(try vault.ids(.identityKey) == [[5]])
    #expect(throws: VaultError.kindIsSecret) { try vault.records(.identityKey) }
    #expect(throws: VaultError.kindIsSecret) { try vault.value(.identityKey, id: [5]) }
    #expect(throws: VaultError.kindIsSecret) { try vault.transaction([.put(.identityKey, [6], [1], .whenUnlocked)]) }
    #expect(throws: VaultError.notFound) { _ = try vault.secret(kind: .identityKey, id: [6]) }
  }

  @Test("A transaction is done completely or not at all") func aTransactionIsAllOrNothing() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([.put(.setting, [1], [1])])
    let tooLong = [UInt8](repeating: 0, count: Vault.maximumIDLength + 1)
    #expect(throws: VaultError.tooLong(limit: 1024)) {
      try vault.transaction([.delete(kind: .setting, id: [1]), .put(.setting, [2], [2]), .put(.setting, tooLong, [])])
    }
    #expect(try vault.records(.setting) == [Record(id: [1], value: [1])])
    #expect(throws: VaultError.tooLong(limit: 16 << 20)) {
      try vault.transaction([.put(.setting, [3], [UInt8](repeating: 0, count: (16 << 20) + 1))])
    }
    try vault.transaction([.put(.setting, [UInt8](repeating: 1, count: 1024), [UInt8](repeating: 0, count: 1 << 20))])
    #expect(try vault.records(.setting).count == 2)
  }

  @Test("A lock closes only the records of its class") func aWipedClassKeyLocksItsRecordsOnly() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    try vault.transaction([
      .put(.identityKey, [1], try box([7]), .whenUnlocked), .put(.pairingKey, [1], try box([8]), .afterFirstUnlock),
    ])
    vault.lock()
    #expect(throws: VaultError.locked) { _ = try vault.secret(kind: .identityKey, id: [1]) }
    #expect(throws: VaultError.locked) { try vault.transaction([.put(.setting, [1], [1], .whenUnlocked)]) }
    #expect(try vault.secret(kind: .pairingKey, id: [1]).array() == [8])
  }

  @Test("Several threads may use one vault") func threadsMayShareAVault() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<10 { try? vault.transaction([.put(.setting, [UInt8(thread), UInt8(number)], [1])]) }
    }
    #expect(try vault.records(.setting).count == 80)
  }
}
