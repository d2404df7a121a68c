import Ciphers
import SecretMemory
import TestSupport
import Testing

/// Made for these tests with `openssl ecparam` and `openssl pkcs8`.
@Suite("P-256 keys in PEM files") struct PEMKeyTests {
  private static let scalar = "28a3618fbb59f3aeea3fa3ab558ffb763a5f1a819bc319ce6746f2884f9429d1"

  private static let pkcs8 = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKKNhj7tZ867qP6Or
    VY/7djpfGoGbwxnOZ0byiE+UKdGhRANCAARAv2euoJnwoRDaFzZxlkl/OR1GDL5l
    VVdYDpofScCDE+4VWWcOMlpbsQ/8GYFG6+Hbdu124vl5/ElnmqKDGz+j
    -----END PRIVATE KEY-----
    """
  private static let sec1 = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEICijYY+7WfOu6j+jq1WP+3Y6XxqBm8MZzmdG8ohPlCnRoAoGCCqGSM49
    AwEHoUQDQgAEQL9nrqCZ8KEQ2hc2cZZJfzkdRgy+ZVVXWA6aH0nAgxPuFVlnDjJa
    W7EP/BmBRuvh23btduL5efxJZ5qigxs/ow==
    -----END EC PRIVATE KEY-----
    """
  private static let ofP384 = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBgd0X6W2r8jkQCri+D
    zgN/m6Jk/RW5Tvxtb7mBwlGEUA1wylk3n9xi3veSTuPVX2OhZANiAASMujcZayJf
    gxUGMaBjtYpEhNkxibdnuDo53DW8t8Jeb77jxKN4xKusshiOlR9fAKUn8u10JqhC
    3GFzxqg1pX9iWJxpQbT8c6uQoBETdqcumDklvK2P/Rwr5zkEN4amhFY=
    -----END PRIVATE KEY-----
    """
  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHrMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAjOfbKmRvqTXgIBATAM
    BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQxIIT8g4z07HbM0etCk85QQSBkK5y
    LzU6VbHbdoKzyuZGAUGeNgTAxw8ndAa8E4Xd8N3YHl082kFulqCvRgnOLQFFI13I
    uc0vit0SCi+hJZcS7/PbIjR8BF5JSpomK4fP1kQiakYpbE/w30lBMd2jyDbIqerM
    VKr9k93vXe9t6wS4lJXR1l7Tz7r/ffIa8Opg2EYPEZh9eqnn6tGqp2/TSBlMhg==
    -----END ENCRYPTED PRIVATE KEY-----
    """
  private static let ofEd25519 = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIPCcORz9pp5AZswvEfFt1oYMZBhb1YVaEUtSbGNT1rZR
    -----END PRIVATE KEY-----
    """

  @Test(
    "A key is read from PKCS #8 and from SEC 1, with text around it",
    arguments: [pkcs8, sec1, "Key of the app\n" + pkcs8 + "\n\n"])
  func read(pem: String) throws {
    let key = try P256.PrivateKey(pem: secret(pem))
    #expect(key.withBytes { Array($0).hex } == Self.scalar)
    let signature = try key.sign(message: [1, 2, 3])
    #expect(key.publicKey.isValid(signature, ofMessage: [1, 2, 3]))
  }

  @Test(
    "Other curves, encrypted keys and text without a key are refused",
    arguments: [
      ofP384, ofEd25519, encrypted, "x", "-----BEGIN PRIVATE KEY-----", String(pkcs8.dropLast(40)),
      String(repeating: "x", count: 20_000),
    ])
  func refused(pem: String) throws {
    #expect(throws: CipherError.malformedKey) { try P256.PrivateKey(pem: secret(pem)) }
  }

  @Test("No flipped bit of a file gives another key without being told apart") func flipped() throws {
    let bytes = Array(Self.pkcs8.utf8)
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      // Without the public point a PKCS #8 file has no checksum: what is read must be a key of the curve, and nothing traps.
      guard let key = try? P256.PrivateKey(pem: secret(changed)) else { continue }
      #expect(key.publicKey.bytes.count == P256.pointLength)
    }
  }
}
