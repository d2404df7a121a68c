import Curve
import Encodings
import TestSupport
import TestVectors
import Testing

@Suite struct SharedSecretTests {
  @Test("Both sides derive the same secret") func bothSidesAgree() throws {
    let seed: UInt64 = 44
    var random = Repeatable(seed: seed)
    for _ in 0..<10 {
      let (one, other) = (try keyPair(random.bytes(32)), try keyPair(random.bytes(32)))
      let shared = try one.sharedX(with: other.publicKey).hex()
      #expect(try other.sharedX(with: one.publicKey).hex() == shared, "seed \(seed)")
      // The x of a point and of its negation are one: the parity does not matter.
      let point = try other.secretKey().compressedPublicKey()
      let mirrored = try CompressedPublicKey([point.prefix ^ 1] + point.x.bytes.array)
      #expect(try one.sharedX(with: point).hex() == shared, "seed \(seed)")
      #expect(try one.sharedX(with: mirrored).hex() == shared, "seed \(seed)")
    }
  }

  @Test("The shared secret of the key 1 is the other side's public key") func withKeyOneItIsThePeersKey() throws {
    let peer = try keyPair(scalar(9))
    #expect(try keyPair(scalar(1)).sharedX(with: peer.publicKey).hex() == peer.publicKey.hex)
  }

  @Test(
    "A public key that is not on the curve is refused",
    arguments: [
      // 0, the field's prime, 2^256 - 1, and the x of BIP-340's test vector 5, which is not on the curve.
      "0000000000000000000000000000000000000000000000000000000000000000",
      "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34",
    ])
  func peersThatAreNoPointAreRefused(hex: String) throws {
    let peer = PublicKey(.hex(hex))
    #expect(!peer.isOnCurve)
    let pair = try keyPair(scalar(3))
    #expect(throws: CurveError.notOnCurve) { _ = try pair.sharedX(with: peer) }
    for prefix: UInt8 in [2, 3] {
      #expect(throws: CurveError.notOnCurve) { try CompressedPublicKey([prefix] + peer.bytes.array) }
    }
    let signature = try pair.sign(Bytes32())
    #expect(!Schnorr.isValid(signature, of: Bytes32(), by: peer))
  }
}

@Suite("Wycheproof, ECDH", .vectors("Wycheproof, ECDH"))
struct SharedSecretVectorTests {
  // SubjectPublicKeyInfo of a named secp256k1 key up to the point, uncompressed and compressed (RFC 5480).
  static let uncompressed = "3056301006072a8648ce3d020106052b8104000a034200"
  static let compressed = "3036301006072a8648ce3d020106052b8104000a032200"

  /// We read points, not certificates: the DER around them is taken off here, strictly. What is in another form ("acceptable": BER,
  /// explicit parameters) does not come to the library at all.
  @Test("ECDH passes the Wycheproof tests") func everyCase() throws {
    for example in try Vectors.wycheproof("wycheproof/ecdh_secp256k1_test.json") {
      guard let point = try? point(example.text("public")) else {
        #expect(example.result != "valid", "\(example.testDescription)")
        continue
      }
      #expect(example.result != "invalid", "\(example.testDescription)")
      let number = example.bytes("private")
      let key = [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
      #expect(try keyPair(key).sharedX(with: point).hex() == example.text("shared"), "\(example.testDescription)")
    }
  }

  private func point(_ der: String) throws -> CompressedPublicKey? {
    let bytes = WycheproofCase.bytes(der)
    if der.hasPrefix(Self.uncompressed) { return try CompressedPublicKey(uncompressed: Array(bytes.dropFirst(23))) }
    if der.hasPrefix(Self.compressed) { return try CompressedPublicKey(Array(bytes.dropFirst(23))) }
    throw CurveError.notOnCurve
  }
}
