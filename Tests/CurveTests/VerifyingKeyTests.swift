import Curve
import Encodings
import TestSupport
import Testing

@Suite struct VerifyingKeyTests {
  @Test("A key that was worked out once accepts and refuses the same signatures as the key itself")
  func aPreparedKeyVerifiesTheSame() throws {
    let (pair, other) = (try KeyPair.random(), try KeyPair.random())
    let digest = bytes32([UInt8](repeating: 7, count: 32))
    let key = try #require(VerifyingKey(pair.publicKey))
    let signature = try pair.sign(digest)
    #expect(key.publicKey == pair.publicKey)
    #expect(Schnorr.isValid(signature, of: digest, by: key))
    #expect(!Schnorr.isValid(signature, of: bytes32([UInt8](repeating: 8, count: 32)), by: key))
    #expect(!Schnorr.isValid(try other.sign(digest), of: digest, by: key))
  }

  @Test("Bytes that are not a point of the curve make no verifying key") func noPointNoKey() {
    #expect(VerifyingKey(PublicKey(bytes32([UInt8](repeating: 0xff, count: 32)))) == nil)
  }
}
