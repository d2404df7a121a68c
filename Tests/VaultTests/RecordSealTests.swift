import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite struct RecordSealTests {
  private static func place(
    vault: UInt8 = 1, kind: RecordKind = .setting, name: UInt8 = 2, protection: UInt8 = 1, version: UInt64 = 3
  ) -> RecordPlace {
    RecordPlace(
      vaultID: [UInt8](repeating: vault, count: 16), kind: kind, name: [UInt8](repeating: name, count: 32),
      protection: protection, version: version)
  }

  private static let others: [(RecordPlace, StaticString)] = [
    (place(vault: 9), "setting"), (place(kind: .pairing), "pairing"), (place(name: 9), "setting"),
    (place(protection: 2), "setting"),
    (place(version: 2), "setting"), (place(version: 4), "setting"),
  ]

  /// By the seal alone: the inventory would notice too, and must not be the only one.
  @Test("A record opens only in the place for which it was sealed", arguments: others.indices)
  func aSealOpensOnlyWhereItWasMade(index: Int) throws {
    let (other, what) = Self.others[index]
    let key = try box([UInt8](repeating: 5, count: 32))
    let sealed = try SealedRecord(id: [1, 2], value: .bytes([3]), at: Self.place(), under: key)
    #expect(try sealed.open(at: Self.place(), under: key) == Record(id: [1, 2], value: [3]))
    #expect(throws: VaultError.corrupt(what: what)) { try sealed.open(at: other, under: key) }
    #expect(throws: VaultError.corrupt(what: what)) { try sealed.openSecret(at: other, under: key) }
    // Each of the two parts is bound by itself.
    let there = try SealedRecord(id: [1, 2], value: .bytes([3]), at: other, under: key)
    let mixed = SealedRecord(wrapped: sealed.wrapped, sealed: there.sealed)
    #expect(throws: VaultError.corrupt(what: "setting")) { try mixed.open(at: Self.place(), under: key) }
  }

  @Test("Another class key opens nothing") func anotherClassKeyOpensNothing() throws {
    let (key, other) = (try box([UInt8](repeating: 5, count: 32)), try box([UInt8](repeating: 6, count: 32)))
    let sealed = try SealedRecord(id: [], value: .secret(try box([1])), at: Self.place(), under: key)
    #expect(throws: VaultError.corrupt(what: "setting")) { try sealed.openSecret(at: Self.place(), under: other) }
  }

  @Test("The same record sealed twice gives different bytes") func whatIsSealedTwiceLooksDifferent() throws {
    let key = try box([UInt8](repeating: 5, count: 32))
    let (one, two) = (
      try SealedRecord(id: [1], value: .bytes([3]), at: Self.place(), under: key),
      try SealedRecord(id: [1], value: .bytes([3]), at: Self.place(), under: key)
    )
    #expect(one.wrapped != two.wrapped && one.sealed != two.sealed)
  }
}
