import Ciphers
import Curve
import Encodings

/// What a key generation ends with.
public struct DKGResult: Sendable {
  /// The own share; nil for a coordinator that is no member.
  public let share: KeyShare?
  /// The group's key, 33 bytes.
  public let publicKey: [UInt8]
  /// 33 bytes of each member.
  public let publicShares: [[UInt8]]
  /// What restores the share together with the host key. It is no secret, but says which keys belong together.
  public let recoveryData: [UInt8]
}

/// A commitment that no member can have given a second meaning: the key has a tweak of taproot with no script (BIP-341, "Constructing and
/// spending Taproot outputs"), so that nobody hid a script in it.
struct TweakedCommitment {
  let commitment: SharingCommitment
  let tweak: PublicScalar

  init(_ commitment: SharingCommitment) {
    tweak = PublicScalar(
      reducing: commitment.points[0].x.withUnsafeBytes { SHA256.tagged("TapTweak", $0) })
    self.commitment = SharingCommitment(
      points: [commitment.points[0] + GroupElement(tweak)] + commitment.points.dropFirst())
  }

  /// - Parameter share: the own one, with the tweak.
  func result(_ share: KeyShare?, members: Int, recoveryData: [UInt8]) -> DKGResult {
    DKGResult(
      share: share, publicKey: commitment.publicKey, publicShares: (0..<UInt32(members)).map(commitment.publicShare),
      recoveryData: recoveryData)
  }

  /// Adds the tweak to a member's share, and checks the sum against the commitment.
  /// - Returns: nil for a share that the commitment does not promise to that member.
  func share(_ share: borrowing SecretKey, of place: Int) throws(DKGError) -> KeyShare? {
    guard let tweaked = try? share.adding(tweak), let made = try? KeyShare(tweaked, identifier: UInt32(place)) else {
      throw .outOfMemory
    }
    return made.isConsistent(with: commitment) ? made : nil
  }
}
