import Ciphers
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Vault

/// A vault that the program before this one made.
@Suite struct VersionOneTests {
  static let words = "an old passphrase"

  @Test("A version 1 vault is rewritten when it is first opened") func anOldVaultIsRewrittenAtItsFirstOpening() throws {
    let home = try VersionOneVault.home()
    let vault = try home.open(Self.words)
    #expect(try vault.records(.setting) == [Record(id: [1], value: [2, 3])])
    #expect(try vault.secret(kind: .identityKey, id: [2]).array() == [6, 6])
    #expect(try vault.secret(kind: .pairingKey, id: [1]).array() == [5, 5])
    #expect(try vault.slots.map(\.id) == [1])
    #expect(try vault.slots[0].opens.count == 8 && vault.slots[0].lacks.isEmpty)
    vault.close()
    #expect(try home.bytes()[63] == 3)
    let again = try home.open(Self.words)
    #expect(again.failedAttempts == 0)
    try again.add(Owner.token, provenBy: Owner.passphrase(Self.words))
    again.close()
  }

  @Test("A wrong passphrase leaves a version 1 vault unchanged") func aWrongPassphraseLeavesAnOldVaultAsItIs() throws {
    let home = try VersionOneVault.home()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("no") }
    #expect(throws: KeyStoreError.vault(.noSuchSlot)) {
      try Vault.open(home: home.path, with: Owner.token, now: 1, kinds: .tests)
    }
    #expect(try home.bytes()[63] == 1)
    #expect(!FileManager.default.fileExists(atPath: home.path + "/device.key"))
    try home.open(Self.words).close()
  }

  @Test("A version 1 vault can be examined without being rewritten") func anOldVaultCanBeLookedAtWithoutBeingRewritten() throws {
    let home = try VersionOneVault.home()
    let found = try Vault.examine(home: home.path, passphrase: secret(Self.words), now: 1, kinds: .tests)
    #expect(found.isSound && found.records == 4)
    #expect(try home.bytes()[63] == 1)
  }

  /// The header of version 1 has a weaker authentication: it must not come back.
  @Test("A version 1 header that was put back is detected", arguments: [false, true])
  func theOldHeaderPutBackIsFound(withItsVersion: Bool) throws {
    let home = try VersionOneVault.home()
    var (body, digest, mac): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    try home.edit { database in
      let old = try database.prepare("SELECT body, digest, mac FROM header")
      #expect(try old.step())
      (body, digest, mac) = (old.bytes(0), old.bytes(1), old.bytes(2))
    }
    try home.open(Self.words).close()
    try home.edit { database in
      let back = try database.prepare("UPDATE header SET body = ?, digest = ?, mac = ?")
      try back.bind(1, body)
      try back.bind(2, digest)
      try back.bind(3, mac)
      _ = try back.step()
      if withItsVersion { try database.run("PRAGMA user_version = 1") }
    }
    #expect(throws: VaultError.corrupt(what: withItsVersion ? "summary" : "header")) { try home.open(Self.words) }
  }
}
