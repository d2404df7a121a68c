import AuditLog
import Curve
import DaemonSupport
import Encodings
import Identities
import JSON
import Nostr
import OwnerAPI
import SecretMemory
import TestSupport
import Testing
import Vault

@testable import Signer

@Suite struct ExportTests {
  static let password = "a password of its own"

  private func export(
    _ signer: Signer, passphrase: String? = TestHome.passphrase, password: String = Self.password
  ) throws -> JSONValue {
    var secrets = ["password": try box(password)]
    if let passphrase { secrets["passphrase"] = try box(passphrase) }
    return try signer.operations.ask("identity/export", ["name": "main", "format": "ncryptsec"], secrets: secrets)
  }

  @Test("An exported key is the same after an import") func whatIsExportedIsTheSameKeyWhenImported() throws {
    let signer = try Signer()
    let text = try unwrap(export(signer)["ncryptsec"]?.string)
    #expect(try signer.entries(.keyExported).map(\.identity) == [try signer.identity.publicKey])
    let other = try Signer()
    try other.operations.ask(
      "identity/import", ["name": "copy"], secrets: ["key": try box(text), "password": try box(Self.password)])
    #expect(other.core.identities.find("copy")?.publicKey == (try signer.identity.publicKey))
    let header = try Array(text.utf8).withUnsafeBytes { bytes in try NIP49.header(of: bytes) }
    #expect(header == .init(logN: 16, security: .notKnownInsecure))
    signer.close()
    other.close()
  }

  @Test("The export of a key that was imported as plain text says that it was handled insecurely")
  func aKeyThatCameAsOpenTextIsSaidToHaveBeenHandledInsecurely() throws {
    let signer = try Signer()
    try signer.operations.ask("identity/import", ["name": "open"], secrets: ["key": try box(Canary(7).array.hex)])
    let text = try unwrap(
      try signer.operations.ask(
        "identity/export", ["name": "open"],
        secrets: ["password": try box(Self.password), "passphrase": try box(TestHome.passphrase)])["ncryptsec"]?.string)
    #expect(try Array(text.utf8).withUnsafeBytes { bytes in try NIP49.header(of: bytes) }.security == .handledInsecurely)
    signer.close()
  }

  @Test("No key is exported without the right passphrase, with a short password or while locked")
  func withoutThePassphraseNoKeyLeavesTheVault() throws {
    let signer = try Signer()
    #expect(failure { try export(signer, passphrase: nil) }?.exit == .usage)
    #expect(failure { try export(signer, passphrase: "wrong") }?.exit == .locked)
    #expect(failure { try export(signer, password: "short") }?.exit == .usage)
    #expect(exit(signer.operations, "identity/export", ["name": "nobody"]) == .notFound)
    #expect(exit(signer.operations, "identity/export", ["name": "main", "format": "nsec"]) == .usage)
    try signer.operations.ask("lock")
    #expect(failure { try export(signer) }?.exit == .locked)
    #expect(try signer.entries(.keyExported).isEmpty)
    signer.close()
  }

  @Test("A key is not exported when the export cannot be recorded") func whatCannotBeRecordedIsNotExported() throws {
    let signer = try Signer()
    signer.settle()
    signer.core.log.close()
    #expect(failure { try export(signer) } != nil)
    signer.close()
  }
}
