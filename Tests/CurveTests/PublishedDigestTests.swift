import Curve
import Encodings
import TestSupport
import TestVectors
import Testing

/// Signatures over digests that other standards published. The digests are theirs: only signing and verifying is ours.
@Suite("Signatures over published digests", .vectors("signatures of Bitcoin and Ethereum"))
struct PublishedDigestTests {
  @Test(
    "Ethereum signatures can be made and verified, and give their public keys back",
    arguments: [
      ("ethereum/eip191.json", "cases", "hash"), ("ethereum/eip712.json", "cases", "digest"),
      ("ethereum/eip712.json", "eip_examples", "digest"), ("ethereum/legacy-eip155.json", "cases", "signing_hash"),
      ("ethereum/legacy-eip155.json", "eip_examples", "signing_hash"), ("ethereum/eip2930.json", "cases", "signing_hash"),
      ("ethereum/eip1559.json", "cases", "signing_hash"),
    ])
  func ethereum(file: String, list: String, digest name: String) throws {
    for example in try Vectors.cases(file, list) {
      let key = try secretKey(try Self.number(example["private_key"]))
      let digest = bytes32(try Self.number(example[name]))
      let (expected, parity) = try Self.signature(example)
      let (signature, recoveryID) = try ECDSA.signRecoverable(digest, with: key)
      #expect(signature == expected && recoveryID == parity)
      let publicKey = try key.compressedPublicKey()
      #expect(ECDSA.isValid(expected, of: digest, by: publicKey))
      #expect(try ECDSA.recover(expected, recoveryID: parity, of: digest) == publicKey)
    }
  }

  /// Either 65 bytes with 27 or 28 at the end, or `r`, `s` and a parity; before EIP-2718 that is in `v` (EIP-155).
  private static func signature(_ example: [String: Any]) throws -> (Signature, parity: Int) {
    if let text = example["signature"] as? String {
      let all = bytes(String(text.dropFirst(2)))
      return (try #require(Signature(all.prefix(64))), Int(all[64]) - 27)
    }
    let signature = try #require(Signature(try number(example["r"]) + number(example["s"])))
    if let parity = example["y_parity"] as? Int { return (signature, parity) }
    return (signature, (try #require(Int((example["v"] as? String ?? "").dropFirst(2), radix: 16)) - 35) % 2)
  }

  /// A number after `0x`, as 32 bytes.
  private static func number(_ value: Any?) throws -> [UInt8] {
    let digits = try #require(value as? String).dropFirst(2)
    return bytes(String(repeating: "0", count: 64 - digits.count) + digits)
  }

  @Test("The Bitcoin signatures in BIP-143 are valid") func bip143() throws {
    for example in try Vectors.cases("bip143/vectors.json", "examples[].signatures") {
      func value(_ name: String) throws -> [UInt8] { bytes(try #require(example[name] as? String)) }
      let key = try CompressedPublicKey(try value("public_key"))
      let der = Array(try value("signature").dropLast())  // the last byte is the hash type
      // One is from a block that is older than the rule of low s.
      #expect(ECDSA.isValid(der: der, of: bytes32(try value("sighash")), by: key, acceptingHighS: true))
      #expect(!ECDSA.isValid(der: der, of: Bytes32(), by: key, acceptingHighS: true))
      guard let digits = example["private_key"] as? String else { continue }  // that one's is not published
      let own = try secretKey(bytes(digits)).compressedPublicKey()
      #expect(own == key)
    }
  }

  @Test("The Taproot signatures in BIP-341 are reproduced") func bip341() throws {
    for example in try Vectors.cases("bip341/wallet-test-vectors.json", "keyPathSpending[].inputSpending") {
      let between = try #require(example["intermediary"] as? [String: Any])
      let witness = try #require((example["expected"] as? [String: [String]])?["witness"]?.first)
      let pair = try keyPair(bytes(try #require(between["tweakedPrivkey"] as? String)))
      let digest = bytes32(bytes(try #require(between["sigHash"] as? String)))
      #expect(try pair.sign(digest, auxiliary: Bytes32()).array == Array(bytes(witness).prefix(64)))
    }
  }
}
