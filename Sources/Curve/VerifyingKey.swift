import CSecp256k1

/// A public key whose point was worked out once. Each verification with it saves about 7 µs.
public struct VerifyingKey: Sendable {
  /// The key.
  public let publicKey: PublicKey
  let point: secp256k1_xonly_pubkey

  /// - Returns: nil if the key is not the x coordinate of a point.
  public init?(_ key: PublicKey) {
    guard let point = key.parsed() else { return nil }
    (publicKey, self.point) = (key, point)
  }
}
