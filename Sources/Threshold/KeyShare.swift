public import Curve
public import Encodings
import SecretMemory

/// A member's share of a group's key. It alone signs nothing and tells nothing about the key.
public final class KeyShare: Sendable {
  /// The member's number, from 0.
  public let identifier: UInt32
  /// 33 bytes.
  public var publicShare: [UInt8] { point.bytes }
  let point: GroupElement
  let secret: SecretKey

  /// - Throws: `.outOfMemory`.
  public init(_ secret: consuming SecretKey, identifier: UInt32) throws(ThresholdError) {
    guard let point = try? secret.groupElement() else { throw .outOfMemory }
    (self.point, self.identifier) = (point, identifier)
    self.secret = secret
  }

  /// Lends the 32 secret bytes for the length of one call.
  public func withBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try secret.withBytes(body)
  }

  /// Whether the share is the one that the commitment promises to this member.
  public func isConsistent(with commitment: SharingCommitment) -> Bool {
    commitment.share(of: identifier) == point
  }

  /// A fresh nonce for one signature: see `SecretNonce.fresh`.
  /// - Parameters:
  ///   - publicKey: the group's key after tweaks, if it is known.
  ///   - message: if it is known.
  public func nonce(publicKey: PublicKey? = nil, message: [UInt8]? = nil) throws(ThresholdError) -> SecretNonce {
    try SecretNonce.fresh(for: secret, .init(publicShare: publicShare, publicKey: publicKey, message: message))
  }
}

extension SigningSession {
  /// The part of the member that has this share, 32 bytes: see `sign(_:share:identifier:)`.
  public func sign(_ nonce: consuming SecretNonce, share: KeyShare) throws(ThresholdError) -> Bytes32 {
    try sign(nonce, share.secret, share.point, share.identifier)
  }
}

extension KeyShare: CustomStringConvertible, CustomReflectable {
  /// Never the share.
  public var description: String { "<share \(identifier)>" }
  /// Without children, so that `dump` shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
