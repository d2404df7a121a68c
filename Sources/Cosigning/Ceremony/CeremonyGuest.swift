public import Curve
import Encodings
public import Threshold

/// A guest's side of a ceremony: from an invitation to a share of its own.
///
/// It sends `message` to the host, and again from time to time until something else is to be said: relays lose messages, and what comes
/// twice does nothing. The caller knows that a message is from the host. No message of a stranger harms it, and neither does a host that lies:
/// in a generated key the host knows no more than any other member.
public struct CeremonyGuest: Sendable {
  /// What the caller does next.
  public enum Action: Sendable {
    /// Let the person compare `plan.hash` with the others, and then call `confirm`.
    case compare(CeremonyPlan)
    /// Send `message` to the host.
    case send
    /// Store the share durably, and then call `noteStored`. The group is not used yet.
    case store(CosignGroup, KeyShare)
    /// All have stored their shares: the group may be used.
    case use(CosignGroup)
    /// Forget everything, also a share that was stored.
    case end(CeremonyMessage.Reason)
  }

  private enum Step: Sendable {
    case joining
    case comparing(CeremonyPlan)
    case contributing(CeremonyPlan, DKGMember)
    case certifying(CeremonyPlan, DKGAnswer)
    case receiving(CeremonyPlan)
    case storing(CosignGroup)
    case over
  }

  /// Where it came from.
  public let invitation: CeremonyInvitation
  /// What is to be said to the host now, and again until something comes back. Nil while the guest has nothing to say.
  public private(set) var message: CeremonyMessage?
  private let key: PublicKey
  private let hostKey: CeremonyHostKey
  private var step = Step.joining

  /// - Parameter key: the guest's key in the group, by which the others will know its messages.
  /// - Throws: `.failed` when memory is short.
  public init(_ invitation: CeremonyInvitation, key: PublicKey) throws(CosignError) {
    (self.invitation, self.key, hostKey) = (invitation, key, try CeremonyHostKey())
    message = CeremonyMessage(invitation.ceremony, .join(secret: invitation.secret, hostKey: hostKey.shown))
  }

  /// Follows a message of the host.
  /// - Returns: nil for what came before, or says nothing to this step.
  /// - Throws: `.otherGroup` for another ceremony, `.badGroup` for a plan without this guest, `.faulty` for what cannot be right. The ceremony
  ///   cannot go on after the last two: call `callOff`.
  public mutating func receive(_ received: CeremonyMessage) throws(CosignError) -> Action? {
    guard received.ceremony == invitation.ceremony else { throw .otherGroup }
    switch (step, received.content) {
    case (.joining, .plan(let plan)): return try take(plan)
    case (.contributing(let plan, let member), .sum(let bytes)): return try certify(plan, member, bytes)
    case (.certifying(let plan, let answer), .certificate(let bytes)):
      let result = try faulty { () throws(DKGError) in try answer.finish(bytes) }
      guard let share = result.share else { throw .faulty }
      return store(try CosignGroup(plan, publicKey: result.publicKey, publicShares: result.publicShares), share)
    case (.receiving(let plan), .share(let share, let commitment)):
      let group = try CosignGroup(plan, commitment)
      guard group.number(of: key) == share.identifier, share.isConsistent(with: commitment) else { throw .faulty }
      return store(group, share)
    case (.storing(let group), .ready(let id)) where id == group.id:
      (step, message) = (.over, nil)
      return .use(group)
    case (.over, _): return nil
    case (_, .ended(let reason)):
      (step, message) = (.over, nil)
      return .end(reason)
    default: return nil
    }
  }

  private mutating func take(_ plan: CeremonyPlan) throws(CosignError) -> Action {
    guard plan.members.first?.key == invitation.host, plan.members.dropFirst().contains(.init(key: key, hostKey: hostKey.shown))
    else {
      throw .badGroup
    }
    (step, message) = (.comparing(plan), nil)
    return .compare(plan)
  }

  private mutating func certify(_ plan: CeremonyPlan, _ member: DKGMember, _ sum: [UInt8]) throws(CosignError) -> Action {
    let answer = try faulty { () throws(DKGError) in try member.answer(sum, hostKey: hostKey.secret) }
    // From here on no other sum is signed.
    step = .certifying(plan, answer)
    message = CeremonyMessage(invitation.ceremony, .signature(answer.message))
    return .send
  }

  private mutating func store(_ group: CosignGroup, _ share: KeyShare) -> Action {
    (step, message) = (.storing(group), nil)
    return .store(group, share)
  }

  /// The person says that all members have the same plan.
  /// - Returns: nil when there is no plan to compare.
  public mutating func confirm() throws(CosignError) -> Action? {
    guard case .comparing(let plan) = step else { return nil }
    guard plan.way == .generated else {
      step = .receiving(plan)
      message = CeremonyMessage(invitation.ceremony, .agreed(plan.hash))
      return .send
    }
    let member = try faulty { () throws(DKGError) in try DKGMember(hostKey: hostKey.secret, parameters: try plan.parameters()) }
    step = .contributing(plan, member)
    message = CeremonyMessage(invitation.ceremony, .contribution(member.message))
    return .send
  }

  /// The share of `Action.store` is on the disk.
  public mutating func noteStored() -> Action? {
    guard case .storing(let group) = step else { return nil }
    message = CeremonyMessage(invitation.ceremony, .stored(group.id))
    return .send
  }

  /// Ends the ceremony for all. A ceremony that is over stays as it ended.
  /// - Returns: what the host is told; nil if it is over.
  public mutating func callOff(_ reason: CeremonyMessage.Reason = .calledOff) -> CeremonyMessage? {
    if case .over = step { return nil }
    (step, message) = (.over, nil)
    return CeremonyMessage(invitation.ceremony, .ended(reason))
  }
}

/// Tells what the others did wrong from what went wrong here.
func faulty<Result>(_ body: () throws(DKGError) -> Result) throws(CosignError) -> Result {
  do throws(DKGError) { return try body() } catch {
    if case .outOfMemory = error { throw .failed(.outOfMemory) }
    throw .faulty
  }
}

extension CeremonyPlan {
  /// The same for all members, in the same order.
  func parameters() throws(DKGError) -> DKGParameters {
    try DKGParameters(hostKeys: members.map(\.hostKey), threshold: threshold)
  }
}

extension CosignGroup {
  init(_ plan: CeremonyPlan, publicKey: [UInt8], publicShares: [[UInt8]]) throws(CosignError) {
    guard publicShares.count == plan.members.count else { throw .badGroup }
    try self.init(
      publicKey: publicKey, threshold: plan.threshold,
      members: zip(plan.members, publicShares).map { Member(key: $0.key, publicShare: $1) })
  }

  /// The group of a key that was split.
  init(_ plan: CeremonyPlan, _ commitment: SharingCommitment) throws(CosignError) {
    guard plan.way == .dealt, commitment.threshold == plan.threshold else { throw .faulty }
    let numbers = plan.members.indices.map { UInt32($0) }
    try self.init(plan, publicKey: commitment.publicKey, publicShares: numbers.map(commitment.publicShare))
  }
}
