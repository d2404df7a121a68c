import Ciphers
import Curve
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// A damaged vault, of which an identity's record, its key or its words are lost.
@Suite struct MendingTests {
  private static func salvage(_ home: TemporaryHome) throws -> Salvage {
    try Salvage(
      of: home.path, with: PassphraseOpener(copying: secret("open sesame")), known: [], now: 2_000_000, kinds: .tests)
  }

  @Test("A key without its identity, and an identity without its key, come together again") func identities() throws {
    let home = TemporaryHome()
    var vault = try home.create()
    let identities = try Identities(vault)
    let first = try identities.create(name: "first", now: 1000)
    let second = try identities.create(name: "second", now: 2000)
    vault.close()
    try home.edit { database in
      try database.run("DELETE FROM records WHERE kind = 2")
      try database.run("DELETE FROM records WHERE kind = 9")
    }
    var salvage = try Self.salvage(home)
    let mended = try salvage.mend(now: 9)
    #expect(Set(mended.derived.map(\.name)) == ["first", "second"] && mended.gone.isEmpty)
    _ = try salvage.replace(now: 1)
    vault = try home.open()
    #expect(try Identities(vault).keyPair(for: first.publicKey).publicKey == first.publicKey)
    #expect(try Identities(vault).defaultIdentity?.publicKey == first.publicKey)
    vault.close()

    try home.edit { try $0.run("DELETE FROM records WHERE kind = 1") }
    salvage = try Self.salvage(home)
    let again = try salvage.mend(now: 9)
    #expect(Set(again.renamed.map(\.publicKey)) == [first.publicKey, second.publicKey])
    _ = try salvage.replace(now: 2)
    vault = try home.open()
    let found = try Identities(vault)
    #expect(found.all.allSatisfy { $0.name.hasPrefix("recovered-") && $0.words != nil && $0.account == 0 })
    #expect(try found.keyPair(for: second.publicKey).publicKey == second.publicKey)
    vault.close()

    try home.edit { try $0.run("DELETE FROM records WHERE kind = 3") }
    try home.edit { try $0.run("DELETE FROM records WHERE kind = 2") }
    salvage = try Self.salvage(home)
    defer { salvage.discard() }
    #expect(try salvage.mend(now: 9).gone.count == 2)
  }
}
