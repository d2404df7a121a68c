/// Why a step of the key generation was refused. No case carries a secret.
public enum DKGError: Error, Equatable, Sendable {
  /// The memory that is kept for secrets is used up. Or a hash is no number below the group order, which happens once in 2^127 times.
  case outOfMemory
  /// The threshold is not from 1 to the number of members.
  case thresholdOrCountOutOfRange
  /// A host public key is not a point.
  case hostKeyInvalid(place: Int)
  /// Two members have the same host public key.
  case hostKeyRepeated(first: Int, second: Int)
  /// The own host key is not among those of the members.
  case hostKeyMissing
  /// The host key is not the one with which this member began.
  case hostKeyChanged
  /// The randomness is all zeros: the machine's generator does not work.
  case randomnessZero
  /// A message has a wrong length, or there are too few or too many.
  case wrongLength
  /// The coordinator found that this member lied.
  case faultyMember(place: Int)
  /// This member or the coordinator lied.
  case faultyMemberOrCoordinator(place: Int)
  /// The coordinator lied.
  case faultyCoordinator
  /// Somebody lied about this member's share. The coordinator's message for the investigation says who it is.
  case unknownFault(DKGInvestigation)
  /// The recovery data cannot be read.
  case recoveryDataMalformed
  /// The recovery data is of a session that cannot have been.
  case recoveryDataParametersInvalid
  /// Not all members have signed the recovery data.
  case recoveryDataCertificateInvalid
}
