import Ciphers
import Curve
import Encodings
import SecretMemory

/// The proof that one secret number makes two points of two others (DLEQ, BIP-374), 64 bytes: `A` of the generator, `C` of `B`.
struct EqualLogarithms: Sendable {
  /// Challenge and answer, 32 bytes each.
  let bytes: [UInt8]

  /// - Parameter bytes: 64. Their numbers are checked by `holds`.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 64 else { return nil }
    self.bytes = bytes
  }

  /// Proves that `a` makes `made` of `base`.
  /// - Parameters:
  ///   - message: what the proof is bound to: 32 bytes, or none.
  ///   - randomness: 32 bytes that protect where a fault can be provoked in the machine.
  /// - Throws: `.outOfMemory`; `.miscomputed` when the proof does not hold.
  init(
    of secret: borrowing SecretKey, base: GroupElement, made: GroupElement, message: [UInt8], randomness: Bytes32 = .fresh()
  ) throws(ThresholdError) {
    guard let own = try? secret.groupElement() else { throw .outOfMemory }
    let seed = try SecretNonce.masked("BIP0374/aux", secret, randomness)
    let nonce = try secretKey(.secretNonceOutOfRange(half: 0)) { target in
      var hash = SHA256(tag: "BIP0374/nonce")
      seed.withBytes { hash.update($0) }
      hash.update(own.bytes + made.bytes + message)
      hash.finish(into: target)
    }
    do throws(CurveError) {
      let challenge = Self.challenge([own, base, made], [try nonce.groupElement(), try nonce.multiplied(base)], message)
      guard !challenge.isZero else { throw .tweakOutOfRange }
      let answer = try nonce.adding(try secret.multiplied(by: challenge.bytes))
      bytes = challenge.bytes.array + answer.withBytes { [UInt8]($0) }
    } catch { throw .outOfMemory }
    guard holds(own: own, base: base, made: made, message: message) else { throw .miscomputed }
  }

  /// Whether the proof is right. The time depends on the proof and on which points they are, not on the secret number.
  func holds(own: GroupElement, base: GroupElement, made: GroupElement, message: [UInt8]) -> Bool {
    guard let challenge = Bytes32(bytes[..<32]).flatMap(PublicScalar.init),
      let answer = Bytes32(bytes[32...]).flatMap(PublicScalar.init),
      ![own, base, made].contains(where: \.isInfinity)
    else { return false }
    let nonces = [GroupElement(answer) + -(challenge * own), answer * base + -(challenge * made)]
    guard !nonces.contains(where: \.isInfinity) else { return false }
    return challenge == Self.challenge([own, base, made], nonces, message)
  }

  private static func challenge(_ points: [GroupElement], _ nonces: [GroupElement], _ message: [UInt8]) -> PublicScalar {
    let all = (points + [.generator] + nonces).flatMap(\.bytes) + message
    return PublicScalar(reducing: all.withUnsafeBytes { SHA256.tagged("BIP0374/challenge", $0) })
  }
}
