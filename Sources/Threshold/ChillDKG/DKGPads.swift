import Ciphers
import Curve
import SecretMemory

/// The secret numbers that hide shares on their way through the coordinator (ChillDKG, "EncPedPop"). They are added to the shares, so that the
/// coordinator adds what all members sent to one of them, and that one subtracts the sum of the pads.
enum DKGPads {
  /// The pad for another member: the sender has the secret nonce, the receiver its host key.
  static func pad(
    _ secret: borrowing SecretKey, with other: GroupElement, sender: [UInt8], receiver: [UInt8], _ context: [UInt8]
  ) throws(DKGError) -> SecretKey {
    guard let shared = try? secret.sharedHash(with: other) else { throw .outOfMemory }
    return try secretNumber("BIP DKG/encpedpop ecdh") { hash in
      shared.withBytes { hash.update($0) }
      hash.update(sender + receiver + context)
    }
  }

  /// The pad for oneself.
  static func own(_ hostKey: borrowing SecretKey, nonce: [UInt8], _ context: [UInt8]) throws(DKGError) -> SecretKey {
    try secretNumber("BIP DKG/encaps_multi self_pad") { hash in
      hostKey.withBytes { hash.update($0) }
      hash.update(nonce + context)
    }
  }

  /// The pads of all that was sent to a member.
  /// - Parameter nonces: 33 bytes of each sender.
  /// - Throws: `.faultyMemberOrCoordinator` for a nonce that is no point.
  static func received(
    by place: Int, _ hostKey: borrowing SecretKey, _ nonces: [[UInt8]], _ parameters: DKGParameters
  ) throws(DKGError) -> [Number] {
    let context = parameters.context(for: place)
    var pads: [Number] = []
    for (sender, nonce) in nonces.enumerated() {
      if sender == place {
        pads.append(Number(try own(hostKey, nonce: nonce, context)))
      } else {
        guard let point = GroupElement(nonce) else { throw .faultyMemberOrCoordinator(place: sender) }
        pads.append(
          Number(try pad(hostKey, with: point, sender: nonce, receiver: parameters.hostKeys[place], context)))
      }
    }
    return pads
  }

  /// A secret number that several may hold.
  final class Number: Sendable {
    let secret: SecretKey

    init(_ secret: consuming SecretKey) { self.secret = secret }
  }

  /// An encrypted share, or a sum of them, without its pads.
  static func opened(_ share: PublicScalar, _ pads: [Number]) throws(DKGError) -> SecretKey {
    do throws(CurveError) {
      var sum = try pads[0].secret.duplicate()
      for pad in pads.dropFirst() { sum = try sum.adding(pad.secret) }
      return try sum.negated().adding(share)
    } catch { throw .outOfMemory }
  }
}

/// A secret number from a tagged hash.
func secretNumber(_ tag: StaticString, _ fill: (inout SHA256) -> Void) throws(DKGError) -> SecretKey {
  let bytes = try? secretBytes(32) { target in
    var hash = SHA256(tag: tag)
    fill(&hash)
    hash.finish(into: target)
  }
  guard let bytes, let number = try? SecretKey(bytes) else { throw .outOfMemory }
  return number
}
