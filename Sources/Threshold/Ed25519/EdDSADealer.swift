public import Encodings

/// Makes and splits an Ed25519 key for a group (RFC 9591, appendix C).
///
/// The key is a number, not a seed of RFC 8032: its public key and signatures are ordinary ones, but no program that asks for a seed can take it.
/// Whoever deals has had the whole key.
public enum EdDSADealer {
  /// The shares of a new key.
  public struct Dealing: Sendable {
    /// One for each member, in the order of their identifiers, from 1.
    public let shares: [EdDSAShare]
    /// The group's key, 32 bytes.
    public let publicKey: Bytes32
    /// A point for each coefficient of the polynomial: what each member checks its share with.
    let commitment: [EdwardsPoint]
  }

  /// A new key for a group.
  /// - Parameters:
  ///   - threshold: from 1 to `members`.
  ///   - members: up to `TrustedDealer.mostMembers`.
  /// - Throws: `.thresholdOutOfRange`, `.outOfMemory`.
  public static func generate(threshold: Int, members: Int) throws(ThresholdError) -> Dealing {
    guard 1 <= threshold, threshold <= members, members <= TrustedDealer.mostMembers else { throw .thresholdOutOfRange }
    var coefficients: [Coefficient] = []
    for _ in 0..<threshold { coefficients.append(try Coefficient(try EdwardsSecret.random())) }
    return try split(coefficients, members: members)
  }

  static func split(_ coefficients: [Coefficient], members: Int) throws(ThresholdError) -> Dealing {
    var shares: [EdDSAShare] = []
    for identifier in 1...UInt32(members) {
      var value = try coefficients[coefficients.count - 1].secret.duplicate()
      for coefficient in coefficients.dropLast().reversed() {
        value = try value.multiplied(by: EdwardsScalar(identifier)).adding(coefficient.secret)
      }
      shares.append(try EdDSAShare(value, identifier: identifier))
    }
    return Dealing(shares: shares, publicKey: coefficients[0].point.bytes, commitment: coefficients.map(\.point))
  }

  final class Coefficient: Sendable {
    let secret: EdwardsSecret
    let point: EdwardsPoint

    init(_ secret: consuming EdwardsSecret) throws(ThresholdError) {
      point = try secret.point()
      self.secret = secret
    }
  }
}
