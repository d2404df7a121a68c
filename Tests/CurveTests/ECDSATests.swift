import Ciphers
import Curve
import Encodings
import TestSupport
import TestVectors
import Testing

@Suite struct ECDSATests {
  // The widely used RFC 6979 value for private key 1 and "Satoshi Nakamoto" (SHA-256, low s).
  @Test("The published ECDSA example is reproduced") func publishedExample() throws {
    let digest = SHA256.digest(of: Array("Satoshi Nakamoto".utf8))
    let key = try secretKey(scalar(1))
    let signature = try ECDSA.sign(digest, with: key)
    #expect(signature.r.hex == "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8")
    #expect(signature.s.hex == "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5")
    let publicKey = try key.compressedPublicKey()
    #expect(ECDSA.isValid(signature, of: digest, by: publicKey))
  }

  @Test("A signature is valid for its message only and gives back its public key") func signaturesVerifyAndRecover() throws {
    let seed: UInt64 = 6979
    var random = Repeatable(seed: seed)
    for _ in 0..<20 {
      let key = try secretKey(random.bytes(32))
      let digest = bytes32(random.bytes(32))
      let publicKey = try key.compressedPublicKey()
      let (signature, recoveryID) = try ECDSA.signRecoverable(digest, with: key)
      let same = try ECDSA.sign(digest, with: key)
      #expect(signature == same, "seed \(seed)")
      #expect(ECDSA.isValid(signature, of: digest, by: publicKey), "seed \(seed)")
      #expect(try ECDSA.recover(signature, recoveryID: recoveryID, of: digest) == publicKey, "seed \(seed)")
      let other = try? ECDSA.recover(signature, recoveryID: recoveryID ^ 1, of: digest)
      #expect(other != publicKey, "seed \(seed)")
      let wrongDigest = bytes32(random.bytes(32))
      #expect(!ECDSA.isValid(signature, of: wrongDigest, by: publicKey), "seed \(seed)")
    }
  }

  @Test("A recovery id out of range is refused", arguments: [-1, 4, Int.max, Int.min])
  func recoveryIDsOutOfRangeAreRefused(recoveryID: Int) throws {
    let (signature, _) = try ECDSA.signRecoverable(Bytes32(), with: try secretKey(scalar(1)))
    #expect(throws: CurveError.malformedSignature) { try ECDSA.recover(signature, recoveryID: recoveryID, of: Bytes32()) }
  }

  @Test("A signature with numbers out of range is refused") func numbersOutOfRangeAreNoSignature() throws {
    let one = bytes32(scalar(1))
    let publicKey = try secretKey(scalar(1)).compressedPublicKey()
    for (r, s) in [(Bytes32(), one), (one, Bytes32()), (bytes32(groupOrder), one), (one, bytes32(groupOrder))] {
      let signature = Signature(r: r, s: s)
      #expect(!ECDSA.isValid(signature, of: one, by: publicKey))
      #expect(throws: CurveError.malformedSignature) { try ECDSA.recover(signature, recoveryID: 0, of: one) }
    }
    #expect(ECDSA.normalized(Signature(r: bytes32(groupOrder), s: one)) == nil)
  }

  @Test("A signature with a high s is refused unless the caller accepts it") func highSIsRefusedUnlessAskedFor() throws {
    let digest = SHA256.digest(of: Array("Satoshi Nakamoto".utf8))
    let publicKey = try secretKey(scalar(1)).compressedPublicKey()
    // The other s of the example above: the group order less its s.
    let r = "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8"
    let s = "dbbd3162d46e9f9bef7feb87c16dc13b4f6568a87f4e83f728e2443ba586675c"
    let high = Signature(r: .hex(r), s: .hex(s))
    #expect(!ECDSA.isValid(high, of: digest, by: publicKey))
    let low = try #require(ECDSA.normalized(high))
    #expect(ECDSA.isValid(low, of: digest, by: publicKey))
    #expect(ECDSA.normalized(low) == low)
    let der = bytes("3046022100" + r + "022100" + s)
    #expect(!ECDSA.isValid(der: der, of: digest, by: publicKey))
    #expect(ECDSA.isValid(der: der, of: digest, by: publicKey, acceptingHighS: true))
  }

  @Test("Bytes that are not DER are refused") func anythingButDERIsRefused() throws {
    let publicKey = try secretKey(scalar(1)).compressedPublicKey()
    var random = Repeatable(seed: 5)
    for count in [0, 1, 2, 8, 71, 72, 73, 1000] {
      #expect(!ECDSA.isValid(der: random.bytes(count), of: Bytes32(), by: publicKey, acceptingHighS: true))
    }
  }
}

@Suite("RFC 6979 and Wycheproof, ECDSA", .vectors("RFC 6979 and Wycheproof, ECDSA"))
struct ECDSAVectorTests {
  @Test("Signatures are deterministic as in RFC 6979") func deterministicSignatures() throws {
    for example in try Vectors.cases("rfc6979/secp256k1.json", "cases") {
      func text(_ name: String) -> String { example[name] as? String ?? "" }
      let digest = SHA256.digest(of: Array(text("message").utf8))
      #expect(digest.hex == text("sha256"))
      let key = try secretKey(bytes(text("private_key")))
      let signature = try ECDSA.sign(digest, with: key)
      #expect(signature.r.hex == text("r") && signature.s.hex == text("s_low"))
      let publicKey = try key.compressedPublicKey()
      #expect(ECDSA.isValid(der: bytes(text("der")), of: digest, by: publicKey))
      let raw = Signature(r: .hex(text("r")), s: .hex(text("s_raw")))
      #expect(ECDSA.normalized(raw) == signature)
      #expect(ECDSA.isValid(raw, of: digest, by: publicKey) == (text("s_raw") == text("s_low")))
    }
  }

  @Test(
    "ECDSA in DER form passes the Wycheproof tests",
    arguments: [
      ("wycheproof/ecdsa_secp256k1_sha256_test.json", true), ("wycheproof/ecdsa_secp256k1_sha256_bitcoin_test.json", false),
    ])
  func wycheproofDER(file: String, acceptingHighS: Bool) throws {
    for example in try Vectors.wycheproof(file) {
      let isValid = ECDSA.isValid(
        der: example.bytes("sig"), of: SHA256.digest(of: example.bytes("msg")), by: try publicKey(of: example),
        acceptingHighS: acceptingHighS)
      #expect(isValid == (example.result == "valid"), "\(example.testDescription)")
    }
  }

  /// P1363 is our compact form. The file allows high s, which `isValid` does not: it is normalised first.
  @Test("ECDSA in compact form passes the Wycheproof tests") func wycheproofCompact() throws {
    for example in try Vectors.wycheproof("wycheproof/ecdsa_secp256k1_sha256_p1363_test.json") {
      let digest = SHA256.digest(of: example.bytes("msg"))
      let key = try publicKey(of: example)
      let isValid = Signature(example.bytes("sig")).flatMap { ECDSA.normalized($0) }.map {
        ECDSA.isValid($0, of: digest, by: key)
      }
      #expect((isValid ?? false) == (example.result == "valid"), "\(example.testDescription)")
    }
  }

  private func publicKey(of example: WycheproofCase) throws -> CompressedPublicKey {
    let key = try #require(example.group["publicKey"] as? [String: Any])
    return try CompressedPublicKey(uncompressed: WycheproofCase.bytes(try #require(key["uncompressed"] as? String)))
  }
}
