import Ciphers
public import Curve
import Encodings
public import SecretMemory

/// A member's part of an ECDH secret between the group and somebody else, for NIP-44 and NIP-04 behind a split key: a point, and the proof that it
/// is right (BIP-374).
///
/// Who has the parts of enough members for one key can read what was said with that key. A member therefore treats a request for a part as a
/// request to decrypt. The point is as secret as a message.
public struct SharedSecretPart: Sendable {
  /// The length of a part.
  public static let length = 97

  let point: GroupElement
  let proof: EqualLogarithms

  /// - Parameter bytes: 97: the point, then the proof. The proof is checked by `combine`.
  /// - Returns: nil unless the first 33 bytes are a point.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length, let point = GroupElement(Array(bytes[..<33])),
      let proof = EqualLogarithms(Array(bytes[33...]))
    else {
      return nil
    }
    (self.point, self.proof) = (point, proof)
  }

  /// 97 bytes.
  public var bytes: [UInt8] { point.bytes + proof.bytes }

  /// A member's part.
  /// - Parameters:
  ///   - peer: the other one's x-only key.
  ///   - signers: the members that take part. Parts for another set do not fit.
  /// - Throws: `.identifierMissing`, `.publicShareMissing`, `.peerInvalid` for a key that is no point, `.outOfMemory`.
  public init(for peer: PublicKey, share: KeyShare, signers: SignerSet) throws(ThresholdError) {
    guard let place = signers.identifiers.firstIndex(of: share.identifier) else { throw .identifierMissing }
    guard signers.shares[place] == share.point else { throw .publicShareMissing }
    guard let base = GroupElement([2] + peer.bytes.array) else { throw .peerInvalid }
    guard let secret = try? share.secret.multiplied(by: signers.coefficients[place].bytes),
      let point = try? secret.multiplied(base)
    else { throw .outOfMemory }
    self.point = point
    proof = try EqualLogarithms(of: secret, base: base, made: point, message: Self.message(signers))
  }

  /// A proof counts for one set of members.
  private static func message(_ signers: SignerSet) -> [UInt8] {
    signers.encodedIdentifiers.withUnsafeBytes { SHA256.tagged("holdfast/shared-secret", $0) }.array
  }

  /// Whether a member's part is right.
  /// - Parameter place: the member's place in the list of signers.
  public func isValid(for peer: PublicKey, place: Int, signers: SignerSet) -> Bool {
    guard signers.shares.indices.contains(place), let base = GroupElement([2] + peer.bytes.array) else { return false }
    let own = signers.coefficients[place] * signers.shares[place]
    return proof.holds(own: own, base: base, made: point, message: Self.message(signers))
  }

  /// The x coordinate of the shared point, 32 bytes, as NIP-44 and NIP-04 take it.
  /// - Parameter parts: of all `signers`, in their order.
  /// - Throws: `.unequalCounts`, `.peerInvalid`; `.wrongContribution` with the place of the member whose part is not right.
  public static func combine(
    _ parts: [SharedSecretPart], for peer: PublicKey, signers: SignerSet
  ) throws(ThresholdError) -> SecretBytes {
    guard parts.count == signers.identifiers.count else { throw .unequalCounts }
    guard GroupElement([2] + peer.bytes.array) != nil else { throw .peerInvalid }
    if let place = parts.indices.first(where: { !parts[$0].isValid(for: peer, place: $0, signers: signers) }) {
      throw .wrongContribution(.sharedSecret, place: place)
    }
    // The key's point may have an odd y: that changes the sign of the sum, and not its x.
    let sum = GroupElement.sum(parts.map(\.point))
    guard !sum.isInfinity else { throw .outOfMemory }
    return try secretBytes(32) { sum.writeX(into: $0) }
  }
}
