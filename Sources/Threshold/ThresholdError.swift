/// Why a step of threshold signing was refused. No case carries a secret.
public enum ThresholdError: Error, Equatable, Sendable {
  /// The memory that is kept for secrets is used up.
  case outOfMemory
  /// The threshold is not from 1 to the number of members.
  case thresholdOutOfRange
  /// There are fewer signers than the threshold, or more than members.
  case signerCount
  /// Two lists that belong together have different lengths.
  case unequalCounts
  /// A member's identifier is not below the number of members. `place` is the place in the list of signers.
  case identifierOutOfRange(place: Int)
  /// A public share is not a point. `place` is the place in the list of signers.
  case publicShareInvalid(place: Int)
  /// Two signers have the same identifier.
  case identifierRepeated
  /// The public shares do not make the group's key.
  case keyMaterialInconsistent
  /// The group's key is not a point.
  case publicKeyInvalid
  /// A tweak is not below the group order.
  case tweakOutOfRange
  /// A tweak leads to the point at infinity.
  case tweakedToInfinity
  /// A half of the secret nonce, 0 or 1, is zero or not below the group order. A nonce that was used is zero.
  case secretNonceOutOfRange(half: Int)
  /// The secret share is zero or not below the group order.
  case secretShareOutOfRange
  /// The signer's own public share is not among those of the signers.
  case publicShareMissing
  /// The signer's identifier is not among those of the signers.
  case identifierMissing
  /// The other side's key is not the x coordinate of a point.
  case peerInvalid
  /// The own part of a signature is wrong: the share is another member's, or the machine made a mistake.
  case miscomputed
  /// Somebody sent a wrong value. `place` is the place of the member in the list of signers; nil for the coordinator.
  case wrongContribution(Contribution, place: Int?)

  /// What a member or the coordinator sends.
  public enum Contribution: Equatable, Sendable {
    /// A member's public nonce.
    case publicNonce
    /// The coordinator's sum of the public nonces.
    case aggregateNonce
    /// The coordinator's sum of the public nonces of the other signers.
    case othersNonce
    /// A member's partial signature.
    case partialSignature
    /// A member's part of a shared secret.
    case sharedSecret
    /// What a member deals when shares are dealt anew: its commitment, or the value for one member.
    case dealing
  }
}
