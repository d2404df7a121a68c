import Ciphers
import Curve
import Encodings
import SecretMemory

/// The proof that a member knows its part of the key, so that it cannot choose it by what the others chose: a BIP-340 signature with tags of its
/// own, 64 bytes.
enum PossessionProof {
  static func make(_ secret: borrowing SecretKey, place: Int, auxiliary: Bytes32) throws(DKGError) -> [UInt8] {
    do throws(CurveError) {
      let point = try secret.groupElement()
      let even = point.hasEvenY ? try secret.duplicate() : try secret.negated()
      let nonce = try Self.nonce(even, auxiliary, point.x.array + message(place))
      let shown = try nonce.groupElement()
      let challenge = challenge(shown.x, point.x, place)
      let answer = try (shown.hasEvenY ? try nonce.duplicate() : try nonce.negated()).adding(even.multiplied(by: challenge.bytes))
      return shown.x.array + answer.withBytes { [UInt8]($0) }
    } catch { throw .outOfMemory }
  }

  private static func nonce(_ secret: borrowing SecretKey, _ auxiliary: Bytes32, _ rest: [UInt8]) throws(CurveError) -> SecretKey
  {
    guard let seed = try? SecretNonce.masked("BIP DKG/pop message/aux", secret, auxiliary),
      let nonce = try? secretNumber(
        "BIP DKG/pop message/nonce",
        { hash in
          seed.withBytes { hash.update($0) }
          hash.update(rest)
        })
    else { throw .outOfMemory }
    return nonce
  }

  static func holds(_ proof: [UInt8], for point: GroupElement, place: Int) -> Bool {
    guard proof.count == 64, let r = Bytes32(proof[..<32]), let s = Bytes32(proof[32...]).flatMap(PublicScalar.init) else {
      return false
    }
    let even = point.hasEvenY ? point : -point
    let shown = GroupElement(s) + -(challenge(r, point.x, place) * even)
    return !shown.isInfinity && shown.hasEvenY && shown.x == r
  }

  private static func challenge(_ nonce: Bytes32, _ key: Bytes32, _ place: Int) -> PublicScalar {
    let all = nonce.array + key.array + message(place)
    return PublicScalar(reducing: all.withUnsafeBytes { SHA256.tagged("BIP DKG/pop message/challenge", $0) })
  }

  private static func message(_ place: Int) -> [UInt8] { bigEndian(UInt32(place)) }
}
