import Ciphers
import Encodings
import SecretMemory
import TestSupport
import TestVectors
import Testing

/// Project Wycheproof's cases for what Ciphers offers; Tests/README.md has what it does not offer.
@Suite("Wycheproof, ciphers", .vectors("Wycheproof, ciphers"))
struct WycheproofTests {
  /// 256-bit and 128-bit keys and 96-bit nonces are what Ciphers offers, so the other sizes must be refused by their length: 192-bit
  /// keys, nonces of 0 to 256 bytes.
  @Test("AES-GCM passes the Wycheproof tests", arguments: [AESGCM.Variant.aes256, .aes128])
  func aesGCM(variant: AESGCM.Variant) throws {
    var run = 0
    for example in try Vectors.wycheproof("wycheproof/aes_gcm_test.json") {
      let (key, iv, associated) = (example.bytes("key"), example.bytes("iv"), example.bytes("aad"))
      let (message, sealed) = (example.bytes("msg"), example.bytes("ct") + example.bytes("tag"))
      let resealed = Result {
        try seal(message) { try AESGCM.seal($0, key: raw(key), nonce: iv, associated: associated, variant: variant) }
      }
      let opened = Result {
        try seal(sealed) { try AESGCM.open($0, key: raw(key), nonce: iv, associated: associated, variant: variant).array() }
      }
      guard key.count == variant.keyLength, iv.count == AESGCM.nonceLength, example.group["tagSize"] as? Int == 128 else {
        #expect(throws: CipherError.self, "\(example.testDescription)") { try resealed.get() }
        #expect(throws: CipherError.self, "\(example.testDescription)") { try opened.get() }
        continue
      }
      run += 1
      check(example, message, sealed, resealed, opened)
    }
    #expect(run > 0, "no case has this key's length")
  }

  @Test(
    "ChaCha20-Poly1305 passes the Wycheproof tests",
    arguments: [
      (ChaChaPoly.Variant.ietf, "wycheproof/chacha20_poly1305_test.json"), (.xchacha, "wycheproof/xchacha20_poly1305_test.json"),
    ])
  func chaChaPoly(variant: ChaChaPoly.Variant, file: String) throws {
    var run = 0
    for example in try Vectors.wycheproof(file) {
      let (key, iv, associated) = (example.bytes("key"), example.bytes("iv"), example.bytes("aad"))
      let (message, sealed) = (example.bytes("msg"), example.bytes("ct") + example.bytes("tag"))
      let resealed = Result {
        try seal(message) { try ChaChaPoly.seal($0, key: raw(key), nonce: iv, associated: associated, variant: variant) }
      }
      let opened = Result {
        try seal(sealed) { try ChaChaPoly.open($0, key: raw(key), nonce: iv, associated: associated, variant: variant).array() }
      }
      let openedPublic = Result {
        try seal(sealed) { try ChaChaPoly.openPublic($0, key: raw(key), nonce: iv, associated: associated, variant: variant) }
      }
      guard iv.count == variant.nonceLength else {
        #expect(example.result == "invalid" && (try? resealed.get()) == nil && (try? opened.get()) == nil)
        #expect((try? openedPublic.get()) == nil, "\(example.testDescription)")
        continue
      }
      run += 1
      check(example, message, sealed, resealed, opened)
      #expect((try? openedPublic.get()) == (example.result == "valid" ? message : nil), "\(example.testDescription)")
    }
    #expect(run > 0, "no case has this nonce's length")
  }

  /// - Parameter opened: nothing for an empty message, for there is no empty secret.
  private func check(
    _ example: WycheproofCase, _ message: [UInt8], _ sealed: [UInt8], _ resealed: Result<[UInt8], any Error>,
    _ opened: Result<[UInt8], any Error>
  ) {
    if example.result == "valid" {
      #expect((try? resealed.get()) == sealed, "\(example.testDescription)")
      #expect((try? opened.get()) == (message.isEmpty ? nil : message), "\(example.testDescription)")
    } else {
      #expect(throws: CipherError.notAuthentic, "\(example.testDescription)") { try opened.get() }
    }
  }

  @Test("HKDF passes the Wycheproof tests") func hkdf() throws {
    for example in try Vectors.wycheproof("wycheproof/hkdf_sha256_test.json") {
      let size = try #require(example.number("size"))
      // Above 255 blocks there is no output: our function traps there, for a length is never a stranger's.
      guard size <= 255 * 32 else {
        #expect(example.result == "invalid")
        continue
      }
      let salt = example.bytes("salt")
      let input = example.bytes("ikm")
      let key = try secret(
        try salt.withUnsafeBytes { salt in
          try input.withUnsafeBytes { try HKDFSHA256.extract(salt: salt, inputKey: $0).array() }
        })
      let output = try HKDFSHA256.expand(pseudorandomKey: key, info: example.bytes("info"), count: size)
      #expect((output.array() == example.bytes("okm")) == (example.result == "valid"), "\(example.testDescription)")
    }
  }

  /// Shorter tags are the beginning of the whole one.
  @Test("HMAC passes the Wycheproof tests") func hmac() throws {
    for example in try Vectors.wycheproof("wycheproof/hmac_sha256_test.json") {
      let (key, message) = (example.bytes("key"), example.bytes("msg"))
      let code = key.withUnsafeBytes { key in message.withUnsafeBytes { HMACSHA256.code(key: key, $0) } }
      let length = try #require(example.group["tagSize"] as? Int) / 8
      let isRight = Array(code.array.prefix(length)) == example.bytes("tag")
      #expect(isRight == (example.result == "valid"), "\(example.testDescription)")
    }
  }

  @Test("Ed25519 passes the Wycheproof tests") func ed25519() throws {
    for example in try Vectors.wycheproof("wycheproof/ed25519_test.json") {
      let key = try #require((example.group["publicKey"] as? [String: Any])?["pk"] as? String)
      let isValid = Ed25519.isValid(example.bytes("sig"), of: example.bytes("msg"), by: try #require(Bytes32(hex: key)))
      #expect(isValid == (example.result == "valid"), "\(example.testDescription)")
    }
  }

  private func seal(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try body($0) }
  }
}
