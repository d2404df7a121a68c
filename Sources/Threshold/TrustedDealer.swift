public import Curve
import Encodings

/// Splits a key that exists (RFC 9591, appendix C), so that a Nostr identity keeps its public key. Whoever deals has had the whole key: it
/// is to be wiped everywhere, and nobody can check that it was.
public enum TrustedDealer {
  /// The most members of a group.
  public static let mostMembers = 255

  /// The shares of a key that was split.
  public struct Dealing: Sendable {
    /// One for each member, in the order of their numbers.
    public let shares: [KeyShare]
    /// What each member checks its share with.
    public let commitment: SharingCommitment
  }

  /// - Parameters:
  ///   - key: not tweaked, whatever the parity of its point: signing takes care of that.
  ///   - threshold: from 1 to `members`. With 1, each share is the key itself.
  ///   - members: up to `mostMembers`.
  /// - Throws: `.thresholdOutOfRange`, `.outOfMemory`.
  public static func split(_ key: borrowing SecretKey, threshold: Int, members: Int) throws(ThresholdError) -> Dealing {
    guard 1 <= threshold, threshold <= members, members <= mostMembers else { throw .thresholdOutOfRange }
    let polynomial = try Polynomial(key, degree: threshold - 1)
    var shares: [KeyShare] = []
    for identifier in 0..<UInt32(members) {
      shares.append(try KeyShare(try polynomial.value(at: identifier), identifier: identifier))
    }
    return Dealing(shares: shares, commitment: SharingCommitment(points: polynomial.commitment))
  }
}
