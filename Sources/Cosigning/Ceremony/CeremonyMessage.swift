public import Encodings
public import Threshold

/// What host and guests of a ceremony say to each other. It travels encrypted, and its sender is known: both are the caller's.
public struct CeremonyMessage: Sendable {
  /// The version of the messages.
  public static let version: Int64 = 1
  /// The longest message of a key generation, in bytes.
  static let longestPiece = 8 << 10

  /// What is said.
  public enum Content: Sendable {
    /// From a guest: it accepts the invitation with this secret.
    /// - Parameter hostKey: 33 bytes, for the key generation.
    case join(secret: Bytes32, hostKey: [UInt8])
    /// From the host, once all have joined.
    case plan(CeremonyPlan)
    /// From a guest, when a key is split: the plan with this hash is the one that it compared.
    case agreed(Bytes32)
    /// From a guest, when a key is generated: it agrees, and this is its first message.
    case contribution([UInt8])
    /// From the host: the coordinator's first message.
    case sum([UInt8])
    /// From a guest: its second message.
    case signature([UInt8])
    /// From the host: the coordinator's second message.
    case certificate([UInt8])
    /// From the host: the guest's share of a key that was split. Secret.
    case share(KeyShare, SharingCommitment)
    /// From a guest: it stored its share of this group.
    case stored(Bytes32)
    /// From the host: all have stored theirs, so the group may be used.
    case ready(Bytes32)
    /// It ended without a group.
    case ended(Reason)
  }

  /// Why a ceremony ended.
  public enum Reason: String, Sendable, CaseIterable {
    /// Somebody called it off, or found that the plans differ.
    case calledOff = "called-off"
    /// The invitation was used by another member, or the ceremony is over.
    case spent
    /// What a member sent contradicts what it should have sent.
    case faulty
  }

  /// The ceremony that it belongs to.
  public let ceremony: Bytes32
  /// What is said.
  public let content: Content

  /// A message.
  public init(_ ceremony: Bytes32, _ content: Content) { (self.ceremony, self.content) = (ceremony, content) }
}
