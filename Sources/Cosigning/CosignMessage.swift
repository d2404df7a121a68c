public import Encodings
public import Threshold

/// What the members of a group say to each other. It travels encrypted, and its sender is known: both are the caller's.
public struct CosignMessage: Sendable {
  /// The version of the messages. A member does not guess what another one means.
  public static let version: Int64 = 1

  /// What is said.
  public enum Content: Sendable {
    /// From the coordinator: asks the member to do this. A member decides on the event itself, never on a hash.
    /// - Parameter expires: until when an answer is of use, in seconds since 1970.
    case ask(CosignTask, expires: Int64)
    /// From a member: it will, with this nonce.
    case commit(PublicNonce)
    /// From a member: it will not, or not now.
    case decline(Reason)
    /// From the coordinator: these members do it now, with these nonces.
    case sign([Signer])
    /// From a member: its part of the attempt for which it gave `nonce`. For another attempt it gives `next`.
    case part(CosignPart, nonce: PublicNonce, next: PublicNonce)
  }

  /// Why a member does not sign.
  public enum Reason: String, Sendable, CaseIterable {
    /// Its rules or its owner said no.
    case denied
    /// Its owner is being asked; a `commit` may follow.
    case asking
    /// Its share is locked away; a `commit` may follow.
    case locked
  }

  /// A member that signs, and its nonce.
  public struct Signer: Sendable, Equatable {
    /// The member's number.
    public let number: UInt32
    /// What it shows of its nonce.
    public let nonce: PublicNonce

    /// A member that signs, and its nonce.
    public init(_ number: UInt32, _ nonce: PublicNonce) { (self.number, self.nonce) = (number, nonce) }
  }

  /// The group's id.
  public let group: Bytes32
  /// What all messages about one signature have in common; random.
  public let request: Bytes32
  /// What is said.
  public let content: Content

  /// A message.
  public init(group: Bytes32, request: Bytes32, _ content: Content) {
    (self.group, self.request, self.content) = (group, request, content)
  }
}
