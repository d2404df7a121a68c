import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A vault of which rows, or pages, are damaged: what is whole comes out, and nothing else.
@Suite struct SalvageTests {
  /// One record of each kind, and a second of some.
  static func filled() throws -> TemporaryHome {
    let home = TemporaryHome()
    let vault = try home.create()
    for kind in RecordKinds.tests.all where kind != .summary {
      let value = RecordValue.secret(try box([UInt8](repeating: UInt8(kind.rawValue), count: 40)))
      for id in [[1, 2], [3, 4]] as [[UInt8]] {
        let plain = RecordValue.bytes([UInt8](repeating: UInt8(kind.rawValue), count: 40))
        let isStrict = [.identityKey, .identityWords, .heldShare].contains(kind)
        try vault.transaction([
          .put(kind: kind, id: id, value: kind.isSecret ? value : plain, class: isStrict ? .whenUnlocked : .afterFirstUnlock)
        ])
      }
    }
    vault.close()
    return home
  }

  private static func salvage(_ home: TemporaryHome, _ words: String = "open sesame") throws -> Salvage {
    try Salvage(of: home.path, with: PassphraseOpener(copying: secret(words)), known: [], now: 2_000_000, kinds: .tests)
  }

  /// Turns one bit of a row's sealed value, or of its wrapped key.
  static func flip(_ kind: RecordKind, _ column: String, in home: TemporaryHome) throws {
    try home.edit { database in
      let row = try database.prepare("SELECT name, wrapped, sealed FROM records WHERE kind = ? ORDER BY name LIMIT 1")
      try row.bind(1, Int64(kind.rawValue))
      #expect(try row.step())
      let name = row.bytes(0)
      var bytes = row.bytes(column == "wrapped" ? 1 : 2)
      bytes[bytes.count / 2] ^= 1
      row.reset()
      let change = try database.prepare(
        column == "wrapped"
          ? "UPDATE records SET wrapped = ? WHERE kind = ? AND name = ?"
          : "UPDATE records SET sealed = ? WHERE kind = ? AND name = ?")
      try change.bind(1, bytes)
      try change.bind(2, Int64(kind.rawValue))
      try change.bind(3, name)
      _ = try change.step()
    }
  }

  @Test("A damaged record of any kind is named, and all other records are recovered", arguments: RecordKinds.tests.all)
  func everyKind(kind: RecordKind) throws {
    for column in ["sealed", "wrapped"] {
      let home = try Self.filled()
      let before = try home.open()
      let (revision, settings) = (try #require(before.mark).revision, try before.records(.setting))
      before.close()
      try Self.flip(kind, column, in: home)
      let damaged = try home.bytes()
      let salvage = try Self.salvage(home)
      if kind == .summary {
        #expect(salvage.damage.isSummaryLost && salvage.damage.rows.isEmpty)
      } else {
        #expect(salvage.damage.rows.map(\.kind) == [kind] && (kind == .slotNote || salvage.damage.rows[0].id != nil))
        // The item key is part of what all rows are summed up by.
        #expect(salvage.damage.unproven == (column == "wrapped" ? [kind] : []), "\(kind)")
      }
      if kind != .setting { #expect(try salvage.vault.records(.setting) == settings) }
      #expect(try #require(salvage.vault.mark).revision > 0)
      // The damaged file is not written but for the count of attempts.
      try salvage.vault.transaction([.put(.setting, [9], [9])])
      salvage.discard()
      #expect(try home.bytes().count == damaged.count)
      #expect(!FileManager.default.fileExists(atPath: home.path + "/vault.db.salvaged"))

      let repaired = try Self.salvage(home)
      try repaired.vault.raiseRevision(above: revision)
      let kept = try repaired.replace(now: 77)
      #expect(kept.hasSuffix("vault.db.damaged-77"))
      #expect(try home.mode("vault.db.damaged-77") == 0o600)
      let vault = try home.open()
      #expect(try #require(vault.mark).revision > revision)
      vault.close()
      #expect(try Vault.examine(home: home.path, passphrase: secret("open sesame"), now: 3_000_000, kinds: .tests).isSound)
    }
  }

  @Test("A missing row is reported, and the rest is recovered") func missingRow() throws {
    let home = try Self.filled()
    try home.edit { try $0.run("DELETE FROM records WHERE kind = 29 AND name = (SELECT min(name) FROM records WHERE kind = 29)") }
    let salvage = try Self.salvage(home)
    defer { salvage.discard() }
    #expect(salvage.damage.rows.isEmpty && salvage.damage.unproven == [.revocation])
  }

  @Test("An older row restored beside a damaged one is reported") func olderRow() throws {
    let home = try Self.filled()
    var (name, version, wrapped, sealed) = ([UInt8](), Int64(0), [UInt8](), [UInt8]())
    try home.edit { database in
      let old = try database.prepare("SELECT name, version, wrapped, sealed FROM records WHERE kind = 4 ORDER BY name LIMIT 1")
      #expect(try old.step())
      (name, version, wrapped, sealed) = (old.bytes(0), old.integer(1), old.bytes(2), old.bytes(3))
    }
    let vault = try home.open()
    try vault.transaction([.put(.pairing, [1, 2], [0]), .put(.pairing, [3, 4], [0])])
    vault.close()
    try home.edit { database in
      let put = try database.prepare("UPDATE records SET version = ?, wrapped = ?, sealed = ? WHERE kind = 4 AND name = ?")
      try put.bind(1, version)
      try put.bind(2, wrapped)
      try put.bind(3, sealed)
      try put.bind(4, name)
      _ = try put.step()
    }
    try Self.flip(.setting, "sealed", in: home)
    let salvage = try Self.salvage(home)
    defer { salvage.discard() }
    #expect(salvage.damage.rows.map(\.kind) == [.setting] && salvage.damage.unproven == [.pairing])
  }

  @Test("An unreadable page loses only its own records") func lostPage() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    for index in 0..<64 {
      try vault.transaction([
        .put(.usage, [UInt8(index)], [UInt8](repeating: 7, count: 900)), .put(.setting, [UInt8(index)], [1]),
      ])
    }
    vault.close()
    var bytes = try home.bytes()
    // The third leaf of the table of records whose first row is of the kind usage.
    let page = 4096
    let leaves = (1..<bytes.count / page).filter { bytes[$0 * page] == 10 }
    #expect(leaves.count > 8)
    let hit = leaves[leaves.count / 2]
    for index in hit * page..<hit * page + page { bytes[index] = 0xa5 }
    try home.write(bytes)
    #expect(throws: VaultError.corrupt(what: "the vault file")) { _ = try home.open() }
    let salvage = try Self.salvage(home)
    #expect(salvage.damage.isPageLost)
    let left = try salvage.vault.records(.usage).count
    #expect((40..<64).contains(left), "\(left)")
    _ = try salvage.replace(now: 1)
    let whole = try home.open()
    #expect(try whole.records(.usage).count == left)
    whole.close()
  }

  @Test("A truncated file is refused by name and not changed") func cutOff() throws {
    let home = TemporaryHome()
    let vault = try home.create()
    for index in 0..<64 { try vault.transaction([.put(.usage, [UInt8(index)], [UInt8](repeating: 7, count: 900))]) }
    vault.close()
    let bytes = try home.bytes()
    try home.write(Array(bytes.dropLast(8 * 4096)))
    #expect(throws: KeyStoreError.corrupt("the vault file")) { _ = try Self.salvage(home) }
    #expect(try home.bytes() == Array(bytes.dropLast(8 * 4096)))
  }

  @Test("Nothing is recovered when the header is damaged or older than the records") func header() throws {
    let home = try Self.filled()
    var (body, digest, mac) = ([UInt8](), [UInt8](), [UInt8]())
    try home.edit { database in
      let row = try database.prepare("SELECT body, digest, mac FROM header")
      #expect(try row.step())
      (body, digest, mac) = (row.bytes(0), row.bytes(1), row.bytes(2))
    }
    try home.edit { try $0.run("UPDATE header SET mac = randomblob(32)") }
    #expect(throws: KeyStoreError.self) { _ = try Self.salvage(home) }
    try home.edit { database in
      let put = try database.prepare("UPDATE header SET body = ?, digest = ?, mac = ?")
      try put.bind(1, body)
      try put.bind(2, digest)
      try put.bind(3, mac)
      _ = try put.step()
    }
    let vault = try home.open()
    _ = try vault.changePassphrase(
      shown: PassphraseOpener(copying: secret("open sesame")), to: .passphrase(secret("another one"), cost: .floor),
      now: 5_000_000)
    vault.close()
    try home.edit { database in
      let put = try database.prepare("UPDATE header SET body = ?, digest = ?, mac = ?")
      try put.bind(1, body)
      try put.bind(2, digest)
      try put.bind(3, mac)
      _ = try put.step()
    }
    #expect(throws: KeyStoreError.self) { _ = try Self.salvage(home) }
    #expect(!FileManager.default.fileExists(atPath: home.path + "/vault.db.salvaged"))
  }

  @Test("A passphrase shown to a damaged vault counts as an attempt, and a correct one not as a failure") func attempts() throws {
    let home = try Self.filled()
    try Self.flip(.slotNote, "wrapped", in: home)
    for _ in 0..<6 { #expect(throws: VaultError.corrupt(what: "slot note")) { _ = try home.open() } }
    for _ in 0..<3 { #expect(throws: KeyStoreError.self) { _ = try Self.salvage(home, "wrong") } }
    #expect(throws: KeyStoreError.vault(.throttled(waitSeconds: 1))) { _ = try Self.salvage(home) }
  }

  @Test("Removing the list of enrolled fingers does not let other fingers unlock") func lostFingers() throws {
    let home = TemporaryHome()
    let source = ScriptedFingers(try fingers(.rightThumb, prints: 1))
    var vault = try home.create()
    try vault.add(Owner.passkey)
    try vault.add(Owner.recovery)
    vault.watchFingers(source) { _ in }
    let presence = try vault.present(Owner.passkey, now: 6)
    try vault.transaction([.put(.itemValue, [1], try box([42]), .biometricRequired)], by: presence)
    vault.close()
    try home.edit { try $0.run("DELETE FROM records WHERE kind = 31") }
    let salvage = try Self.salvage(home)
    #expect(salvage.damage.unproven == [.fingerSet])
    _ = try salvage.replace(now: 1)
    vault = try home.open(now: 3_000_000)
    defer { vault.close() }
    source.show(try fingers(.leftThumb, prints: 2))
    vault.watchFingers(source) { _ in }
    #expect(throws: (any Error).self) {
      let presence = try vault.present(Owner.passkey, now: 3_000_001)
      _ = try vault.secret(kind: .itemValue, id: [1], by: presence)
    }
  }
}
