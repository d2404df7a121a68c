import Curve
import Encodings
import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A store over a fresh vault, with a clock that stands still until it is set.
struct TestStore {
  let home = TemporaryHome()
  let vault: Vault
  let store: KeyStore
  let now = Locked<Int64>(1_000_000)

  init() throws {
    vault = try home.create()
    let now = now
    store = KeyStore(vault, clock: .init { now.withLock { $0 } })
  }

  func unlock() throws { try vault.unlock(passphrase: secret("open sesame"), now: 1) }
}

func name(_ account: String, of service: String = "app") throws -> ItemName { try ItemName(service: service, account: account) }

@Suite struct KeyStoreTests {
  @Test("Stored items read back, even after a restart") func whatIsStoredComesBackAndOverARestart() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"), label: "The first", remark: [1, 2])
    #expect(try test.store.retrieve(name("a")).array() == Array("one".utf8))
    test.vault.close()
    let vault = try test.home.open()
    let store = KeyStore(vault)
    #expect(try store.retrieve(name("a")).array() == Array("one".utf8))
    let note = try store.note(of: name("a"))
    #expect(note.label == "The first" && note.remark == [1, 2] && note.permissions == .whenUnlocked)
    #expect(note.madeAt == 1_000_000 && note.changedAt == 1_000_000)
    vault.close()
  }

  @Test("A second item with the same name is refused, and the first stays")
  func aSecondItemOfOneNameIsADuplicateAndTheFirstStays() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"))
    #expect(throws: KeyStoreError.duplicateItem) { try test.store.store(secret("two"), as: name("a")) }
    #expect(try test.store.retrieve(name("a")).array() == Array("one".utf8))
    // Another service, or a plain name, is another item.
    try test.store.store(secret("three"), as: name("a", of: "other"))
    try test.store.store(secret("four"), as: ItemName("a"))
    #expect(try test.store.list().map(\.name.service) == ["", "app", "other"])
    #expect(try test.store.list(service: "app").map(\.name.account) == ["a"])
  }

  @Test("Only one of several items stored at once with the same name is kept")
  func ofManyThatStoreOneNameAtOnceExactlyOneDoes() throws {
    let test = try TestStore()
    let stored = Locked(0)
    let threads = (0..<8).compactMap { number in
      SystemThread.start {
        // Each with a store of its own: the vault is what they share.
        let value = try? secret("value \(number)")
        guard let value, let name = try? name("a") else { return }
        if (try? KeyStore(test.vault).store(value, as: name)) != nil { stored.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(threads.count == 8 && stored.withLock { $0 } == 1)
  }

  @Test("Every operation on a missing item reports that it is not found") func aMissingItemIsNotFoundByEveryName() throws {
    let test = try TestStore()
    #expect(throws: KeyStoreError.itemNotFound) { _ = try test.store.retrieve(name("a")) }
    #expect(throws: KeyStoreError.itemNotFound) { try test.store.note(of: name("a")) }
    #expect(throws: KeyStoreError.itemNotFound) { try test.store.delete(name("a")) }
    #expect(throws: KeyStoreError.itemNotFound) { try test.store.update(name("a"), to: secret("x")) }
    #expect(throws: KeyStoreError.itemNotFound) { try test.store.setPermissions(.afterFirstUnlock, of: name("a")) }
    #expect(try !test.store.exists(name("a")))
  }

  @Test("While the vault is locked, names can be read and values cannot")
  func whileLockedNamesAreReadableAndValuesAreNot() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("locked"))
    try test.store.store(secret("two"), as: name("open"), permissions: .afterFirstUnlock)
    test.vault.lock()
    #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(name("locked")) }
    #expect(throws: KeyStoreError.interactionNotAllowed) { try test.store.put(secret("x"), as: name("locked")) }
    #expect(throws: KeyStoreError.interactionNotAllowed) { try test.store.setPermissions(.afterFirstUnlock, of: name("locked")) }
    #expect(try test.store.retrieve(name("open")).array() == Array("two".utf8))
    #expect(try test.store.list().count == 2 && test.store.exists(name("locked")))
    // What is locked can be deleted; the rest is as it was.
    try test.store.delete(name("locked"))
    try test.unlock()
    #expect(throws: KeyStoreError.itemNotFound) { _ = try test.store.retrieve(name("locked")) }
  }

  @Test("An update changes only the value of an item") func anUpdateKeepsAllButTheValue() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"), permissions: .afterFirstUnlock, label: "L", remark: [7])
    test.now.withLock { $0 = 2_000_000 }
    try test.store.update(name("a"), to: secret("two"))
    let note = try test.store.note(of: name("a"))
    #expect(note.permissions == .afterFirstUnlock && note.label == "L" && note.remark == [7])
    #expect(note.madeAt == 1_000_000 && note.changedAt == 2_000_000)
    #expect(try test.store.retrieve(name("a")).array() == Array("two".utf8))
  }

  /// Seed of trouble elsewhere: an update that leaves the old accessibility attribute in place.
  @Test("Changed permissions hold for the stored value at once") func changedPermissionsHoldForTheValueThatIsThere() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"), permissions: .afterFirstUnlock)
    try test.store.setPermissions(.whenUnlocked, of: name("a"))
    #expect(try test.store.retrieve(name("a")).array() == Array("one".utf8))
    try test.store.put(secret("two"), as: name("b"), permissions: .afterFirstUnlock)
    try test.store.put(secret("three"), as: name("b"), permissions: .whenUnlocked)
    test.vault.lock()
    for account in ["a", "b"] {
      #expect(throws: KeyStoreError.interactionNotAllowed) { _ = try test.store.retrieve(name(account)) }
      #expect(try test.store.note(of: name(account)).permissions == .whenUnlocked)
    }
  }

  @Test("An item that is too long is refused and nothing changes") func whatIsTooLongIsRefusedAndNothingChanges() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("a"))
    let long = try SecretBytes(randomCount: KeyStore.maximumValue + 1)
    #expect(throws: KeyStoreError.vault(.tooLong(limit: KeyStore.maximumValue))) {
      try test.store.put(long.duplicate(), as: name("a"))
    }
    #expect(throws: KeyStoreError.vault(.tooLong(limit: 256))) {
      try test.store.put(secret("x"), as: name("a"), label: String(repeating: "l", count: 257))
    }
    #expect(throws: KeyStoreError.vault(.tooLong(limit: 4096))) {
      try test.store.put(secret("x"), as: name("a"), remark: [UInt8](repeating: 0, count: 4097))
    }
    #expect(try test.store.retrieve(name("a")).array() == Array("one".utf8))
  }

  @Test(
    "An invalid item name is refused with its fault",
    arguments: [
      ("", ItemNameError.empty), (String(repeating: "é", count: 129), .tooLong(limit: 256)), ("a\nb", .controlCharacter),
      ("\u{7f}", .controlCharacter),
    ])
  func refusesNamesThatAreNone(text: String, fault: ItemNameError) {
    #expect(throws: fault) { try ItemName(text) }
    #expect(throws: fault) { try ItemName(service: "s", account: text) }
  }

  @Test("Names that read the same when joined are different items") func namesThatReadAlikeTogetherAreDifferentItems() throws {
    let (left, right) = (try ItemName(service: "ab", account: "c"), try ItemName(service: "a", account: "bc"))
    #expect(left.recordID != right.recordID)
    for name in [left, right, try ItemName("abc")] { #expect(ItemName(recordID: name.recordID) == name) }
    #expect(ItemName(recordID: [0]) == nil && ItemName(recordID: [0, 9, 1]) == nil && ItemName(recordID: [0, 0]) == nil)
  }

  @Test("The names of items are not readable in the vault file") func namesOfItemsAreNotInTheFile() throws {
    let test = try TestStore()
    try test.store.store(secret("one"), as: name("alice@example.org", of: "org.example.wallet"), label: "Savings account")
    test.vault.close()
    let text = String(decoding: try test.home.bytes(), as: UTF8.self)
    for part in ["alice", "example", "Savings"] { #expect(!text.contains(part)) }
  }

  @Test("No value stays in memory after a lock") func afterALockNoValueIsInMemory() throws {
    let test = try TestStore()
    let canary = Canary(0x17e3)
    try test.store.store(SecretBytes(count: Canary.length) { canary.plant(in: $0) }, as: name("a"))
    do {
      let value = try test.store.retrieve(name("a"))
      #expect(value.withBytes { canary.occurrences(in: $0) } == 1)
    }
    test.vault.lock()
    #expect(MemoryScan.occurrences(of: canary) == 0)
    try test.unlock()
    #expect(try test.store.retrieve(name("a")).array() == canary.array)
  }
}
