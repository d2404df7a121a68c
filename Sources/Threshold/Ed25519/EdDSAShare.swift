import Ciphers
public import Curve
public import Encodings
public import SecretMemory

/// A member's share of an Ed25519 key, for FROST(Ed25519, SHA-512) of RFC 9591.
public final class EdDSAShare: Sendable {
  /// The member's number, from 1 (RFC 9591, section 4.2).
  public let identifier: UInt32
  let secret: EdwardsSecret
  let point: EdwardsPoint

  init(_ secret: consuming EdwardsSecret, identifier: UInt32) throws(ThresholdError) {
    point = try secret.point()
    self.secret = secret
    self.identifier = identifier
  }

  /// - Parameters:
  ///   - bytes: 32, little-endian.
  ///   - identifier: from 1.
  /// - Throws: `.secretShareOutOfRange` for zero and for what is not below the group order, `.identifierOutOfRange`, `.outOfMemory`.
  public convenience init(_ bytes: borrowing SecretBytes, identifier: UInt32) throws(ThresholdError) {
    guard identifier > 0 else { throw .identifierOutOfRange(place: 0) }
    guard bytes.count == 32 else { throw .secretShareOutOfRange }
    let padded = try secretBytes(64) { target in
      bytes.withBytes { UnsafeMutableRawBufferPointer(rebasing: target[..<32]).copyMemory(from: $0) }
    }
    let secret = try EdwardsSecret(reducing: padded)
    let isSame = secret.withBytes { reduced in bytes.withBytes { constantTimeEqual(reduced, $0) } }
    guard isSame else { throw .secretShareOutOfRange }
    try self.init(secret, identifier: identifier)
  }

  /// 32 bytes.
  public var publicShare: Bytes32 { point.bytes }

  /// A fresh nonce for one signature (RFC 9591, section 4.1).
  /// - Parameter randomness: 64 bytes, 32 for each half, that never come a second time. Only a test gives its own.
  /// - Throws: `.outOfMemory`.
  public func nonce(randomness: (hiding: Bytes32, binding: Bytes32) = (.fresh(), .fresh())) throws(ThresholdError) -> EdDSANonce {
    try EdDSANonce(try half(randomness.hiding), try half(randomness.binding))
  }

  private func half(_ randomness: Bytes32) throws(ThresholdError) -> EdwardsSecret {
    let hash = try secretBytes(64) { target in
      secret.withBytes { secret in FROSTHash.write(FROSTHash.nonce, randomness.array, secret, into: target) }
    }
    return try EdwardsSecret(reducing: hash)
  }
}

extension EdDSAShare: CustomStringConvertible, CustomReflectable {
  /// Never the share.
  public var description: String { "<share \(identifier)>" }
  /// Without children, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A signer's secret nonce: it signs once, and cannot be copied.
public struct EdDSANonce: ~Copyable, Sendable {
  let hiding: EdwardsSecret
  let binding: EdwardsSecret
  /// What the others may see.
  public let commitment: EdDSACommitment

  init(_ hiding: consuming EdwardsSecret, _ binding: consuming EdwardsSecret) throws(ThresholdError) {
    commitment = EdDSACommitment(try hiding.point(), try binding.point())
    self.hiding = hiding
    self.binding = binding
  }
}

/// What a signer shows of its nonce: two points, 64 bytes.
public struct EdDSACommitment: Sendable {
  let hiding: EdwardsPoint
  let binding: EdwardsPoint

  init(_ hiding: EdwardsPoint, _ binding: EdwardsPoint) { (self.hiding, self.binding) = (hiding, binding) }

  /// - Returns: nil unless there are 64 bytes, two points of the group of prime order, neither of them neutral.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 64, let hiding = Bytes32(bytes[..<32]).flatMap(EdwardsPoint.init(_:)),
      let binding = Bytes32(bytes[32...]).flatMap(EdwardsPoint.init(_:))
    else { return nil }
    (self.hiding, self.binding) = (hiding, binding)
  }

  /// 64 bytes.
  public var bytes: [UInt8] { hiding.bytes.array + binding.bytes.array }
}
