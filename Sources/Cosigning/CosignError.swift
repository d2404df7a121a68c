public import Threshold

/// Why a message of another member was not followed. None of them harms the member that got it.
public enum CosignError: Error, Equatable, Sendable {
  /// The group's description contradicts itself.
  case badGroup
  /// It is no message of this version. `.wrong` names the member of the JSON object.
  case malformed(wrong: String)
  /// It cannot be encrypted, or what came is no such message for this key.
  case notSealed
  /// It is for another group, or for the same one before or after its shares were dealt anew.
  case otherGroup
  /// It is from nobody of the group.
  case stranger
  /// The event is not one of the group's key.
  case otherAuthor
  /// It belongs to no request that this member knows of from that member.
  case unknownRequest
  /// What another member of a ceremony sent cannot be right.
  case faulty
  /// It is too late.
  case expired
  /// One member has too many requests under way here, or one request had too many attempts.
  case tooMany
  /// The owner of this member, or its rules, have not said yes.
  case notApproved
  /// The nonce it names was used, or is not this member's. To sign with it once more would tell the share.
  case nonceSpent
  /// The signers that it names cannot make a signature.
  case badSigners(ThresholdError)
  /// This member could not do its part.
  case failed(ThresholdError)
}
