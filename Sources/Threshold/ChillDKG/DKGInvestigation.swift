import Curve

/// Finds out who lied to a member whose share is wrong, with the coordinator's help (ChillDKG, "participant_investigate").
public final class DKGInvestigation: Sendable {
  private let place: Int
  private let pads: [DKGPads.Number]
  private let share: PublicScalar
  private let publicShare: GroupElement

  init(place: Int, pads: [DKGPads.Number], share: PublicScalar, publicShare: GroupElement) {
    (self.place, self.pads, self.share, self.publicShare) = (place, pads, share, publicShare)
  }

  /// - Parameter received: the coordinator's message for this member, 65n bytes.
  /// - Returns: `.faultyCoordinator` or `.faultyMemberOrCoordinator`; `.wrongLength`, `.outOfMemory`.
  public func culprit(_ received: [UInt8]) -> DKGError {
    do throws(DKGError) { return try find(try DKGInvestigationMessage(received, members: pads.count)) } catch { return error }
  }

  private func find(_ message: DKGInvestigationMessage) throws(DKGError) -> DKGError {
    guard GroupElement.sum(message.publicShares) == publicShare, message.shares.reduce(.zero, +) == share else {
      return .faultyCoordinator
    }
    for (sender, pad) in pads.enumerated() {
      let opened = try DKGPads.opened(message.shares[sender], [pad])
      guard let point = try? opened.groupElement() else { throw .outOfMemory }
      if point != message.publicShares[sender] {
        return sender == place ? .faultyCoordinator : .faultyMemberOrCoordinator(place: sender)
      }
    }
    // All that was shown adds up to the right share: what was shown before did not.
    return .faultyCoordinator
  }
}

extension DKGInvestigation: Equatable {
  /// The same one.
  public static func == (left: DKGInvestigation, right: DKGInvestigation) -> Bool { left === right }
}
