public import Curve
public import Encodings

/// A member that needs no randomness, because it signs last: its nonce follows from what all others committed to (BIP-445, section "Deterministic
/// and Stateless Signing"). At most one signer of a session may do so.
public enum DeterministicSigner {
  /// What the member contributes.
  public struct Contribution: Sendable {
    /// Its nonce, which the coordinator adds to `othersNonce`.
    public let nonce: PublicNonce
    /// Its part of the signature, 32 bytes.
    public let partial: Bytes32
  }

  /// - Parameters:
  ///   - othersNonce: 66 bytes, the sum of the public nonces of all other signers; nil when there is none.
  ///   - randomness: 32 bytes that protect where a fault can be provoked in the machine. It may repeat, or be left out.
  /// - Throws: `.wrongContribution` by the coordinator, and what `SigningSession.sign` throws.
  public static func sign(
    _ message: [UInt8], share: borrowing SecretKey, identifier: UInt32, signers: SignerSet, tweaks: [Tweak] = [],
    othersNonce: [UInt8]?, randomness: Bytes32?
  ) throws(ThresholdError) -> Contribution {
    let key = try TweakedKey(signers.key, tweaks).key
    let context =
      bigEndian(identifier) + bigEndian(UInt32(signers.identifiers.count)) + signers.encodedIdentifiers + (othersNonce ?? [])
      + key.x.array + bigEndian(UInt64(message.count)) + message
    let nonce = try SecretNonce.deterministic(share, context, randomness)
    let shown = nonce.publicNonce
    let sum = AggregateNonce(summing: [shown] + (try parsed(othersNonce)))
    let session = try SigningSession(signers, nonce: sum, tweaks: tweaks, message: message)
    return Contribution(nonce: shown, partial: try session.sign(nonce, share: share, identifier: identifier))
  }

  private static func parsed(_ othersNonce: [UInt8]?) throws(ThresholdError) -> [PublicNonce] {
    guard let othersNonce else { return [] }
    guard let others = PublicNonce(othersNonce) else { throw .wrongContribution(.othersNonce, place: nil) }
    return [others]
  }
}
