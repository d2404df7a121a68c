import Platform
import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct CompanionTests {
  private static let companion = RecordChange.put(.setting, Array("companion".utf8), [1])
  private struct Stop: Error {}

  private func companions() -> CompanionChanges { CompanionChanges { _ in [Self.companion] } }
  private func isThere(_ vault: Vault) throws -> Bool { try vault.value(.setting, id: Array("companion".utf8)) != nil }

  @Test("Companion changes are stored with the first transaction, and only once") func firstTransaction() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let companions = companions()
    try companions.accompany {
      #expect(try !isThere(vault))
      try vault.transaction([.put(.setting, [1], [1])])
      #expect(companions.areStored)
      #expect(try isThere(vault))
      try vault.transaction([.delete(kind: .setting, id: Array("companion".utf8))])
      #expect(try !isThere(vault))
    }
  }

  @Test("Companion changes are not stored on failure, without a transaction or on opening") func noTransaction() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let companions = companions()
    try companions.accompany {
      #expect(throws: VaultError.self) { try vault.transaction([.put(.identityKey, [1], [1])]) }
      _ = try vault.verify(passphrase: secret("open sesame"), now: 1)
    }
    #expect(throws: Stop.self) { try companions.accompany { throw Stop() } }
    #expect(!companions.areStored)
    #expect(try !isThere(vault))
    try vault.transaction([.put(.setting, [1], [1])])
    #expect(try !isThere(vault), "outside of the closure nothing goes with it")
  }

  @Test("Companion changes see the transaction's changes and also accompany header changes") func besideChanges() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let seen = CompanionChanges { beside in beside.map { if case .put(_, let id, _, _) = $0 { .put(.link, id, [9]) } else { $0 } }
    }
    try seen.accompany { try vault.transaction([.put(.setting, [5], [1])]) }
    #expect(try vault.value(.link, id: [5]) == [9])
    let companions = companions()
    try companions.accompany { try vault.renameSlot(try #require(vault.slots.first).id, to: "renamed") }
    #expect(companions.areStored)
    #expect(try isThere(vault))
  }

  @Test("Companion changes go with no other thread's transaction, and an inner closure's go first") func otherThreads() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    let (outer, inner) = (companions(), CompanionChanges { _ in [] })
    try outer.accompany {
      SystemThread.start { try? vault.transaction([.put(.setting, [1], [1])]) }?.join()
      #expect(!outer.areStored)
      try inner.accompany { try vault.transaction([.put(.setting, [2], [1])]) }
      #expect(inner.areStored && !outer.areStored)
      try vault.transaction([.put(.setting, [3], [1])])
      #expect(outer.areStored)
    }
  }
}
