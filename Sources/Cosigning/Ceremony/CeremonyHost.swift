public import Curve
import Encodings
public import Threshold

/// The host's side of a ceremony: it invites the others, passes on what they say, and is a member itself, number 0. When a key is generated,
/// it need not be trusted.
public struct CeremonyHost: Sendable {
  /// What the caller does next.
  public enum Action: Sendable {
    /// Send the message to the guest with this key.
    case send(CeremonyMessage, to: PublicKey)
    /// Let the person compare `plan.hash` with the others, and then call `confirm`.
    case compare(CeremonyPlan)
    /// Call `deal` with the key that is split.
    case deal
    /// Store the own share durably, and then call `noteStored`. The group is not used yet, and a key that was split stays until `use`.
    case store(CosignGroup, KeyShare)
    /// All have stored their shares: the group may be used. Now a key that was split is to be deleted.
    case use(CosignGroup)
    /// Forget everything, also a share that was stored. A key that was to be split stays whole.
    /// - Parameter member: who is to blame, if that is known.
    case end(CeremonyMessage.Reason, member: UInt32?)
  }

  private enum Step: Sendable {
    case inviting
    case comparing(CeremonyPlan)
    case generating(CeremonyPlan, DKGMember)
    case certifying(CeremonyPlan, DKGCoordinator, DKGAnswer)
    case agreeing(CeremonyPlan)
    case dealing(CeremonyPlan)
    case storing(CosignGroup, own: Bool)
    case over(CosignGroup?)
  }

  /// For the guests, in the order of their numbers, which begin with 1.
  public let invitations: [CeremonyInvitation]
  private let ceremony: Bytes32
  private let key: PublicKey
  private let hostKey: CeremonyHostKey
  private let name: String
  private let way: CeremonyPlan.Way
  private let threshold: Int
  private var step = Step.inviting
  private var guests: [UInt32: CeremonyPlan.Participant] = [:]
  /// What each member said last, by its number.
  private var contributions: [UInt32: [UInt8]] = [:]
  private var signatures: [UInt32: [UInt8]] = [:]
  private var agreed: [UInt32: Bytes32] = [:]
  private var stored: Set<UInt32> = []
  /// What each guest was told last, and is told again while it is silent.
  private var told: [UInt32: CeremonyMessage] = [:]

  /// - Parameters:
  ///   - name: for the group, up to `CeremonyPlan.longestName` bytes.
  ///   - members: how many there will be, the host among them.
  ///   - key: the host's key in the group, by which the guests know its messages.
  ///   - relays: where the members meet.
  /// - Throws: `.badGroup` for a name or numbers that no group can have, and for relays that no invitation can; `.failed`.
  public init(
    name: String, way: CeremonyPlan.Way, threshold: Int, members: Int, key: PublicKey, relays: [String]
  ) throws(CosignError) {
    guard CeremonyPlan.isPossible(threshold: threshold, members: members),
      (1...CeremonyPlan.longestName).contains(name.utf8.count)
    else { throw .badGroup }
    (self.name, self.way, self.threshold, self.key) = (name, way, threshold, key)
    (ceremony, hostKey) = (.fresh(), try CeremonyHostKey())
    var invitations: [CeremonyInvitation] = []
    for _ in 1..<members { invitations.append(try .init(host: key, ceremony: ceremony, secret: .fresh(), relays: relays)) }
    self.invitations = invitations
  }

  /// How many guests have joined.
  public var joined: Int { guests.count }

  /// Follows a message.
  /// - Parameter from: whose it is.
  /// - Throws: `.otherGroup` for another ceremony, `.stranger` for somebody who was not invited. They change nothing.
  public mutating func receive(_ received: CeremonyMessage, from: PublicKey) throws(CosignError) -> [Action] {
    guard received.ceremony == ceremony else { throw .otherGroup }
    if case .join(let secret, let hostKey) = received.content { return try join(secret, .init(key: from, hostKey: hostKey)) }
    guard let number = guests.first(where: { $0.value.key == from })?.key else { throw .stranger }
    // What comes first counts.
    switch received.content {
    case .agreed(let plan):
      if agreed[number] == nil { agreed[number] = plan }
      return agree()
    case .contribution(let bytes):
      if contributions[number] == nil { contributions[number] = bytes }
      return try sumUp()
    case .signature(let bytes):
      if signatures[number] == nil { signatures[number] = bytes }
      return try certify()
    case .stored(let id): return noteStored(by: number, id)
    case .ended(let reason): return end(reason, number)
    default: return []
    }
  }

  private mutating func join(_ secret: Bytes32, _ guest: CeremonyPlan.Participant) throws(CosignError) -> [Action] {
    guard let place = invitations.firstIndex(where: { $0.secret == secret }) else { throw .stranger }
    let number = UInt32(place + 1)
    if guests[number] == guest { return [] }
    guard guests[number] == nil, guest.key != key, !guests.values.contains(where: { $0.key == guest.key }), case .inviting = step
    else { return [.send(CeremonyMessage(ceremony, .ended(.spent)), to: guest.key)] }
    guests[number] = guest
    guard guests.count == invitations.count else { return [] }
    let all = [.init(key: key, hostKey: hostKey.shown)] + invitations.indices.compactMap { guests[UInt32($0 + 1)] }
    let plan = try CeremonyPlan(ceremony: ceremony, name: name, way: way, threshold: threshold, members: all)
    step = .comparing(plan)
    return tell { _ in .plan(plan) } + [.compare(plan)]
  }

  /// The person says that all members have the same plan.
  public mutating func confirm() throws(CosignError) -> [Action] {
    guard case .comparing(let plan) = step else { return [] }
    guard plan.way == .generated else {
      step = .agreeing(plan)
      return agree()
    }
    let member = try faulty { () throws(DKGError) in try DKGMember(hostKey: hostKey.secret, parameters: try plan.parameters()) }
    step = .generating(plan, member)
    contributions[0] = member.message
    return try sumUp()
  }

  /// A key is split once all have agreed.
  private mutating func agree() -> [Action] {
    guard case .agreeing(let plan) = step, agreed.count == guests.count else { return [] }
    if let other = agreed.first(where: { $0.value != plan.hash }) { return end(.faulty, other.key) }
    step = .dealing(plan)
    return [.deal]
  }

  private mutating func sumUp() throws(CosignError) -> [Action] {
    guard case .generating(let plan, let member) = step, contributions.count == plan.members.count else { return [] }
    do throws(DKGError) {
      let coordinator = try DKGCoordinator(inOrder(contributions), parameters: try plan.parameters())
      let answer = try member.answer(coordinator.message, hostKey: hostKey.secret)
      step = .certifying(plan, coordinator, answer)
      signatures[0] = answer.message
      return tell { _ in .sum(coordinator.message) }
    } catch { return try blame(error) }
  }

  private mutating func certify() throws(CosignError) -> [Action] {
    guard case .certifying(let plan, let coordinator, let answer) = step, signatures.count == plan.members.count else {
      return []
    }
    do throws(DKGError) {
      let certificate = try coordinator.finish(inOrder(signatures)).message
      let result = try answer.finish(certificate)
      guard let share = result.share else { throw .faultyCoordinator }
      let group = try? CosignGroup(plan, publicKey: result.publicKey, publicShares: result.publicShares)
      guard let group else { throw .faultyCoordinator }
      step = .storing(group, own: false)
      return tell { _ in .certificate(certificate) } + [.store(group, share)]
    } catch { return try blame(error) }
  }

  private func inOrder(_ said: [UInt32: [UInt8]]) -> [[UInt8]] { said.sorted { $0.key < $1.key }.map(\.value) }

  /// Splits the key.
  /// - Throws: `.failed` when memory is short; nothing was done then.
  public mutating func deal(_ key: borrowing SecretKey) throws(CosignError) -> [Action] {
    guard case .dealing(let plan) = step else { return [] }
    let dealing: TrustedDealer.Dealing
    do throws(ThresholdError) {
      dealing = try TrustedDealer.split(key, threshold: threshold, members: plan.members.count)
    } catch { throw .failed(error) }
    let group = try CosignGroup(plan, dealing.commitment)
    step = .storing(group, own: false)
    return tell { .share(dealing.shares[Int($0)], dealing.commitment) } + [.store(group, dealing.shares[0])]
  }

  // MARK: the end

  /// The share of `Action.store` is on the disk.
  public mutating func noteStored() -> [Action] {
    guard case .storing(let group, _) = step else { return [] }
    step = .storing(group, own: true)
    return finish()
  }

  private mutating func noteStored(by number: UInt32, _ id: Bytes32) -> [Action] {
    guard case .storing(let group, _) = step else { return repeated(to: number) }
    // A member that has another group has been told something else than the others.
    guard id == group.id else { return end(.faulty, number) }
    stored.insert(number)
    told[number] = nil
    return finish()
  }

  private mutating func finish() -> [Action] {
    guard case .storing(let group, own: true) = step, stored.count == guests.count else { return [] }
    step = .over(group)
    return tell { _ in .ready(group.id) } + [.use(group)]
  }

  /// Ends the ceremony for all; a ceremony that is over stays as it ended.
  public mutating func callOff() -> [Action] { end(.calledOff, nil) }

  private mutating func end(_ reason: CeremonyMessage.Reason, _ member: UInt32?) -> [Action] {
    if case .over = step { return [] }
    step = .over(nil)
    return tell { _ in .ended(reason) } + [.end(reason, member: member)]
  }

  private mutating func blame(_ error: DKGError) throws(CosignError) -> [Action] {
    switch error {
    case .outOfMemory: throw .failed(.outOfMemory)
    case .faultyMember(let place), .faultyMemberOrCoordinator(let place): return end(.faulty, UInt32(place))
    default: return end(.faulty, nil)
    }
  }

  // MARK: messages

  /// What to send again while guests are silent: relays lose messages.
  public func repeated() -> [Action] { told.keys.sorted().flatMap(repeated) }

  private func repeated(to number: UInt32) -> [Action] {
    guard let message = told[number], let guest = guests[number] else { return [] }
    return [.send(message, to: guest.key)]
  }

  private mutating func tell(_ content: (UInt32) -> CeremonyMessage.Content) -> [Action] {
    for number in guests.keys { told[number] = CeremonyMessage(ceremony, content(number)) }
    return repeated()
  }
}
