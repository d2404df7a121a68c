import Curve
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// Secret keys as items of a program.
@Suite struct SecretKeyItemTests {
  private struct Store {
    let home = TemporaryHome()
    let store: KeyStore

    init() throws { store = KeyStore(try home.create(), clock: .init { 1_000_000 }) }
  }

  @Test("A secret key can be saved, loaded, replaced and deleted") func aKeyIsSavedLoadedReplacedAndDeleted() throws {
    let test = try Store()
    let storage = try SecureStorage<SecretKey>(in: test.store, service: "keys")
    let first = try SecretKey.random()
    let second = try SecretKey.random()
    #expect(try !storage.exists("main"))
    try storage.save(first, as: "main")
    #expect(try KeyPair(storage.load("main")).publicKey == KeyPair(first).publicKey)
    try storage.save(second, as: "main")
    #expect(try KeyPair(storage.load("main")).publicKey == KeyPair(second).publicKey)
    #expect(try storage.exists("main") && storage.accounts == ["main"])
    try storage.delete("main")
    #expect(throws: KeyStoreError.itemNotFound) { _ = try storage.load("main") }
    #expect(throws: KeyStoreError.itemNotFound) { try storage.delete("main") }
  }

  @Test("An item that is not a secret key is reported as damaged and kept") func anItemOfAnotherTypeIsCorruptAndStays() throws {
    let test = try Store()
    try test.store.store(secret("no key"), as: ItemName(service: "keys", account: "main"))
    let storage = try SecureStorage<SecretKey>(in: test.store, service: "keys")
    #expect(throws: KeyStoreError.corrupt("secret key")) { _ = try storage.load("main") }
    #expect(try storage.exists("main"))
  }
}
