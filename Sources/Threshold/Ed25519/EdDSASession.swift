import Ciphers
public import Encodings

/// One Ed25519 signature by several members (RFC 9591): who signs what, with which nonces. The signature is one of RFC 8032, valid wherever an
/// Ed25519 signature is.
public struct EdDSASession: Sendable {
  /// A member that signs.
  public struct Signer: Sendable {
    /// The member's number, from 1.
    public let identifier: UInt32
    /// The member's public share, 32 bytes.
    public let publicShare: Bytes32
    /// What it shows of its nonce.
    public let commitment: EdDSACommitment

    /// Does not check the share: the session does.
    public init(identifier: UInt32, publicShare: Bytes32, commitment: EdDSACommitment) {
      (self.identifier, self.publicShare, self.commitment) = (identifier, publicShare, commitment)
    }
  }

  /// The group's key, 32 bytes.
  public let publicKey: Bytes32
  private let signers: [Signer]
  private let shares: [EdwardsPoint]
  private let coefficients: [EdwardsScalar]
  private let factors: [EdwardsScalar]
  private let nonce: EdwardsPoint
  private let challenge: EdwardsScalar
  private let message: [UInt8]

  /// - Parameters:
  ///   - signers: at least as many as the threshold, in any order.
  ///   - publicKey: the group's key, 32 bytes.
  /// - Throws: `.signerCount` without signers, `.identifierOutOfRange`, `.publicShareInvalid`, `.identifierRepeated`, `.publicKeyInvalid`;
  ///   `.keyMaterialInconsistent` when the shares do not make the key, which is also so with too few signers.
  public init(_ signers: [Signer], publicKey: Bytes32, message: [UInt8]) throws(ThresholdError) {
    guard !signers.isEmpty else { throw .signerCount }
    let signers = signers.sorted { $0.identifier < $1.identifier }
    var shares: [EdwardsPoint] = []
    for (place, signer) in signers.enumerated() {
      guard signer.identifier > 0 else { throw .identifierOutOfRange(place: place) }
      guard let share = EdwardsPoint(signer.publicShare) else { throw .publicShareInvalid(place: place) }
      shares.append(share)
    }
    guard Set(signers.map(\.identifier)).count == signers.count else { throw .identifierRepeated }
    guard let key = EdwardsPoint(publicKey) else { throw .publicKeyInvalid }
    coefficients = Self.coefficients(signers.map(\.identifier))
    guard EdwardsPoint.sum(zip(coefficients, shares).map { $0 * $1 }) == key else { throw .keyMaterialInconsistent }
    (self.signers, self.shares, self.publicKey, self.message) = (signers, shares, publicKey, message)
    factors = Self.factors(signers, publicKey, message)
    nonce = EdwardsPoint.sum(zip(signers, factors).map { $0.commitment.hiding + $1 * $0.commitment.binding })
    challenge = FROSTHash.challenge(nonce.bytes.array + publicKey.array + message)
  }

  /// Lagrange's coefficients for the point zero.
  private static func coefficients(_ identifiers: [UInt32]) -> [EdwardsScalar] {
    identifiers.map { own in
      identifiers.filter { $0 != own }.reduce(.one) { product, other in
        product * EdwardsScalar(other) * (EdwardsScalar(other) - EdwardsScalar(own)).inverse
      }
    }
  }

  /// By what each signer multiplies the second half of its nonce: the binding factors (RFC 9591, section 4.4).
  private static func factors(_ signers: [Signer], _ key: Bytes32, _ message: [UInt8]) -> [EdwardsScalar] {
    let list = signers.flatMap { EdwardsScalar($0.identifier).bytes.array + $0.commitment.bytes }
    let prefix = key.array + FROSTHash.digest(FROSTHash.message, message) + FROSTHash.digest(FROSTHash.commitments, list)
    return signers.map { FROSTHash.scalar(FROSTHash.rho, prefix + EdwardsScalar($0.identifier).bytes.array) }
  }

  /// A member's part of the signature, 32 bytes, checked as the others will check it.
  /// - Parameter nonce: the one whose commitment is among those of the signers. It is gone afterwards, whatever happens.
  /// - Throws: `.identifierMissing`, `.publicShareMissing`, `.outOfMemory`; `.wrongContribution` by the coordinator for another commitment than the
  ///   nonce's; `.miscomputed` when the machine made a mistake.
  public func sign(_ nonce: consuming EdDSANonce, share: EdDSAShare) throws(ThresholdError) -> Bytes32 {
    guard let place = signers.firstIndex(where: { $0.identifier == share.identifier }) else { throw .identifierMissing }
    guard shares[place] == share.point else { throw .publicShareMissing }
    guard signers[place].commitment.bytes == nonce.commitment.bytes else { throw .wrongContribution(.aggregateNonce, place: nil) }
    let secretNonce = try nonce.hiding.adding(try nonce.binding.multiplied(by: factors[place]))
    let part = try secretNonce.adding(try share.secret.multiplied(by: coefficients[place] * challenge)).published().bytes
    guard isValid(part, from: share.identifier) else { throw .miscomputed }
    return part
  }

  /// Whether a member's part is right. A part that is not, from an authenticated member, proves that this member lied.
  public func isValid(_ part: Bytes32, from identifier: UInt32) -> Bool {
    guard let place = signers.firstIndex(where: { $0.identifier == identifier }), let number = EdwardsScalar(part) else {
      return false
    }
    let commitment = signers[place].commitment
    let expected =
      commitment.hiding + factors[place] * commitment.binding + (challenge * coefficients[place]) * shares[place]
    return EdwardsPoint(number) == expected
  }

  /// The signature, 64 bytes, made of all parts and checked.
  /// - Parameter parts: of all signers, by identifier.
  /// - Throws: `.unequalCounts`; `.wrongContribution` with the place of the signer, in the order of the identifiers, whose part is not right.
  public func finish(_ parts: [UInt32: Bytes32]) throws(ThresholdError) -> [UInt8] {
    guard Set(parts.keys) == Set(signers.map(\.identifier)) else { throw .unequalCounts }
    var sum = EdwardsScalar.zero
    for (place, signer) in signers.enumerated() {
      guard let number = parts[signer.identifier].flatMap(EdwardsScalar.init(_:)) else {
        throw .wrongContribution(.partialSignature, place: place)
      }
      sum = sum + number
    }
    let signature = nonce.bytes.array + sum.bytes.array
    if Ed25519.isValid(signature, of: message, by: publicKey) { return signature }
    for (place, signer) in signers.enumerated() where !isValid(parts[signer.identifier]!, from: signer.identifier) {  // was there
      throw .wrongContribution(.partialSignature, place: place)
    }
    throw .wrongContribution(.aggregateNonce, place: nil)
  }
}
