import Curve
import Encodings
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// No secret in any file, whatever is done.
@Suite struct SilenceTests {
  @Test("No file of the home contains a secret unencrypted") func noFileHoldsACanary() throws {
    let home = TemporaryHome()
    let spoken = "the passphrase of the canary"
    let vault = try home.create(spoken)
    let identities = try Identities(vault)
    let identity = try identities.importKey(secret(words), name: "canary", help: .published, now: 0)
    let token = [UInt8](repeating: 0xa7, count: 24)
    try vault.transaction([
      .put(.setting, [1], token), .put(.itemValue, identity.publicKey.bytes.array, try box(token), .afterFirstUnlock),
    ])
    _ = try? identities.importKey(secret(wordsNsec), name: "again", help: .published, now: 0)
    _ = try? identities.importKey(secret(String(wordsNsec.dropLast())), name: "wrong", now: 0)
    try identities.rename(identity.publicKey, to: "songbird")
    _ = try identities.keyPair(for: identity.publicKey)

    let key = try #require(Hex.decode(wordsKey))
    let canaries: [[UInt8]] = [
      key, Array(wordsKey.utf8), Array(wordsKey.uppercased().utf8), Array(wordsNsec.utf8), Array(words.utf8),
      Array("parrot ring".utf8), Array(spoken.utf8), token, Array(key.prefix(16)), Array(key.suffix(16)),
      // Not secret, and still nobody's business: who it is, and what they are called.
      identity.publicKey.bytes.array, Array(identity.publicKey.hex.utf8), Array("songbird".utf8), Array("canary".utf8),
    ]
    try expectNone(of: canaries, in: home)  // the write-ahead log is there
    vault.close()
    #expect(throws: VaultError.wrongPassphrase(waitSeconds: 0)) { try home.open("the passphrase of the cat") }
    try expectNone(of: canaries, in: home)
    let again = try home.open(spoken)
    try Identities(again).delete(identity.publicKey)
    try expectNone(of: canaries, in: home)
    again.close()
    try expectNone(of: canaries, in: home)
  }

  private func expectNone(of canaries: [[UInt8]], in home: TemporaryHome) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
    #expect(names.contains("vault.db"))
    for name in names {
      let bytes = Data(try home.bytes(of: name))
      for (index, canary) in canaries.enumerated() { #expect(bytes.range(of: Data(canary)) == nil, "canary \(index) in \(name)") }
    }
  }

  @Test("The search for secrets finds text that is in a file") func theSearchFindsWhatIsThere() throws {
    let home = TemporaryHome()
    try home.create().close()
    #expect(Data(try home.bytes()).range(of: Data("CREATE TABLE records".utf8)) != nil)
  }
}
