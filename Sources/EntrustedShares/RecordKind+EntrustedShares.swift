package import Vault

extension RecordKind {
  /// A guardian who holds a share for the owner.
  package static let guardian = RecordKind(21, "guardian")
  /// A share that is held here for somebody else.
  package static let heldShare = RecordKind(22, "held share", isSecret: true, classes: .unlocked)
  /// A request for a share that is held here, and when it may be answered.
  package static let shareRequest = RecordKind(23, "share request")
}

extension RecordKinds {
  /// Those of guardians.
  package static let ofGuardians: [RecordKind] = [.guardian, .heldShare, .shareRequest]
}
