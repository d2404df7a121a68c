import Ciphers
import Curve
import SecretMemory
import TestSupport
import Testing

@testable import Identities
@testable import Vault

/// A password may be spelt with one character or with two for the same letter.
@Suite struct KeyFilePasswordTests {
  @Test("A key file opens in each spelling of its password, and one of an earlier version as it was typed")
  func keyFiles() throws {
    let (one, other) = ("p\u{e4}ssw\u{f6}rd", "pa\u{308}sswo\u{308}rd")
    let home = TemporaryHome()
    let identities = try Identities(try home.create())
    let made = try identities.create(NewIdentity("a"), words: 12, now: 5000)
    let file = try identities.keyFile(for: made.publicKey, password: box(Array(one.utf8)), cost: .floor, now: 77)
    #expect(try Self.key(in: file, other) == made.publicKey)
    #expect(try Self.key(in: Array(Self.rawKeyFile.utf8), other).hex == Self.rawKey)
    #expect(throws: IdentityError.badKey(.wrongPassword)) { try Self.key(in: Array(Self.rawKeyFile.utf8), "x\u{308}") }
  }

  private static func key(in file: [UInt8], _ password: String) throws -> PublicKey {
    var copy = file
    let help = ImportHelp(password: try box(Array(password.utf8)))
    return try KeyPair(try KeyText.parsing(SecretBytes(wiping: &copy), with: help).key.duplicate()).publicKey
  }

  /// Secret key 01…01, password "pässwörd" in NFD, the bytes as they are.
  private static let rawKey = "1b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f"
  private static let rawKeyFile =
    #"{"version": 1, "algorithm": "AES-256-GCM", "kdf": {"name": "Argon2id", "memory": 19456, "iterations": 2, "parallelism": 1, "salt": "c3Nzc3Nzc3Nzc3Nzc3Nzcw=="},"#
    + #" "nonce": "bm5ubm5ubm5ubm5u", "hint": "", "createdAt": 1700000000, "encrypted": "rlGo3tKuW1VnqbxFJqxkJMlO6E2NbZDkib1+asvOaRAj81FrQJwZKZJOb4NlubFrGPM2f65fqHTrj08yGSMIcCS+L23/Uhbyuqw6nVOu/oVTuIf9hmaKhXW44SGaz8r1xQ=="}"#
}
