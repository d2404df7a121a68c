public import Curve
public import Encodings
import Nostr
import Threshold

/// The coordinator's side of one signature: it asks all members, and as soon as enough of them have committed to a nonce it has them sign. When
/// one of those lies, or is slow, others that are free make another attempt, so that a minority holds up nobody (ROAST, eprint 2022/550).
///
/// Any member can be the coordinator. It is trusted for nothing but that it goes on: it cannot make anybody sign anything else, and a
/// signature that it returns was checked.
public struct CosignRound: Sendable {
  /// How it stands.
  public enum Outcome: Sendable {
    case running
    case done(CosignResult)
    /// Too few members are left.
    case failed
  }

  /// What a member did.
  public enum Standing: Sendable, Equatable {
    /// It has said nothing yet.
    case asked
    /// Its owner is being asked, or it is locked: it may still commit.
    case later(CosignMessage.Reason)
    case denied
    /// It has committed to a nonce, or is signing.
    case willing
    /// It gave its part of the signature.
    case signed
    /// It sent a part that is wrong. `attempt` is the number of the attempt.
    case lied(attempt: Int)
  }

  private let group: CosignGroup
  private let task: CosignTask
  /// What all messages about it have in common.
  public let request: Bytes32
  private let expires: Int64
  /// Of each member, in the order of their numbers.
  public private(set) var standings: [Standing]
  /// How it stands.
  public private(set) var outcome = Outcome.running
  private var attempts: [Attempt] = []
  /// Members that are free, with the nonces that they use next, in the order in which they came.
  private var free: [CosignMessage.Signer] = []

  private struct Attempt {
    let session: CosignSession
    var parts: [UInt32: CosignPart] = [:]
  }

  /// - Parameters:
  ///   - task: an event must be of the group's key.
  ///   - request: random.
  ///   - expires: until when an answer is of use, in seconds since 1970.
  /// - Throws: `.otherAuthor`.
  public init(_ group: CosignGroup, _ task: CosignTask, request: Bytes32 = .fresh(), expires: Int64) throws(CosignError) {
    if case .sign(let event) = task, event.pubkey != group.author { throw .otherAuthor }
    (self.group, self.task, self.request, self.expires) = (group, task, request, expires)
    standings = [Standing](repeating: .asked, count: group.members.count)
  }

  /// The question, for each member. It may be sent again: to a member that was away, and to all.
  public var question: CosignMessage {
    message(.ask(task, expires: expires))
  }

  /// - Parameter from: the number of the member that sent it, which the channel proves.
  /// - Returns: messages to send.
  /// - Throws: why it is not followed. Nothing is lost then.
  public mutating func receive(_ message: CosignMessage, from: UInt32) throws(CosignError) -> [(CosignMessage, to: UInt32)] {
    guard message.group == group.id else { throw .otherGroup }
    guard message.request == request else { throw .unknownRequest }
    guard standings.indices.contains(Int(from)) else { throw .stranger }
    guard case .running = outcome else { return [] }
    switch message.content {
    case .ask, .sign: return []
    case .commit(let nonce): commit(.init(from, nonce))
    case .decline(let reason): decline(reason, from)
    case .part(let part, let nonce, let next): try take(part, of: .init(from, nonce), next: .init(from, next))
    }
    return isAttemptOpen ? [] : try attempt()
  }

  /// Call it every second or so: messages get lost, and members begin anew.
  /// - Returns: messages to send: another attempt by those who are free, the question to those who said nothing or whose part is missing, and the
  ///   list of signers to those whose part is missing. Nothing once it has ended.
  public mutating func goOn() throws(CosignError) -> [(CosignMessage, to: UInt32)] {
    guard case .running = outcome else { return [] }
    return try attempt() + reminders
  }

  /// The member's channel brought something that is no message: it is not asked any more.
  public mutating func exclude(_ member: UInt32) {
    guard standings.indices.contains(Int(member)) else { return }
    exclude(member, as: .lied(attempt: attempts.count))
  }

  // MARK: what members say

  private mutating func commit(_ signer: CosignMessage.Signer) {
    let member = Int(signer.number)
    // The same one can come twice. Another one is of a member that began anew and has forgotten its nonce, or whose part was lost.
    guard !standings[member].isOut, !free.contains(signer), !isSigning(signer) else { return }
    if standings[member] != .signed { standings[member] = .willing }
    free.removeAll { $0.number == signer.number }
    free.append(signer)
  }

  private func isSigning(_ signer: CosignMessage.Signer) -> Bool { attempts.contains { $0.session.signers.contains(signer) } }

  private mutating func decline(_ reason: CosignMessage.Reason, _ member: UInt32) {
    let standing = standings[Int(member)]
    switch (reason, standing) {
    case (.denied, .lied), (_, .denied): break
    case (.denied, _): exclude(member, as: .denied)
    case (_, .asked), (_, .later): standings[Int(member)] = .later(reason)
    default: break
    }
  }

  private mutating func exclude(_ member: UInt32, as standing: Standing) {
    standings[Int(member)] = standing
    free.removeAll { $0.number == member }
    if standings.count(where: { !$0.isOut }) < group.threshold { outcome = .failed }
  }

  private mutating func take(
    _ part: CosignPart, of signer: CosignMessage.Signer, next: CosignMessage.Signer
  ) throws(CosignError) {
    guard let number = attempts.firstIndex(where: { $0.session.signers.contains(signer) }) else { throw .unknownRequest }
    guard attempts[number].parts[signer.number] == nil, !standings[Int(signer.number)].isOut else { return }
    guard attempts[number].session.isValid(part, of: signer) else {
      return exclude(signer.number, as: .lied(attempt: number))
    }
    attempts[number].parts[signer.number] = part
    standings[Int(signer.number)] = .signed
    try finish(number)
    // One that was brought in again by a second commit has a newer nonce there.
    if !free.contains(where: { $0.number == next.number }) { free.append(next) }
  }

  // MARK: attempts

  private mutating func finish(_ number: Int) throws(CosignError) {
    let attempt = attempts[number]
    guard attempt.parts.count == attempt.session.signers.count else { return }
    // There are as many parts as signers.
    outcome = .done(try attempt.session.result(attempt.session.signers.map { attempt.parts[$0.number]! }))
  }

  /// Whether an attempt can still succeed: nobody in it has denied or lied.
  private var isAttemptOpen: Bool { attempts.contains { $0.session.signers.allSatisfy { !standings[Int($0.number)].isOut } } }

  /// An attempt by those who are free, if they are enough.
  private mutating func attempt() throws(CosignError) -> [(CosignMessage, to: UInt32)] {
    guard case .running = outcome, free.count >= group.threshold else { return [] }
    // Those who owe no part come first: a member that commits and then says nothing does not spoil one attempt after the other.
    let ranked = free.enumerated().sorted { (debts(of: $0.element), $0.offset) < (debts(of: $1.element), $1.offset) }
    let signers = ranked.prefix(group.threshold).map(\.element)
    free.removeAll { signers.contains($0) }
    attempts.append(Attempt(session: try CosignSession(group, signers, task)))
    return signers.map { (message(.sign(signers)), to: $0.number) }
  }

  /// In how many attempts the member's part is missing.
  private func debts(of signer: CosignMessage.Signer) -> Int {
    attempts.count { attempt in
      attempt.parts[signer.number] == nil && attempt.session.signers.contains { $0.number == signer.number }
    }
  }

  private func message(_ content: CosignMessage.Content) -> CosignMessage {
    CosignMessage(group: group.id, request: request, content)
  }

  private var reminders: [(CosignMessage, to: UInt32)] {
    let missing = attempts.flatMap { attempt in
      attempt.session.signers.filter { attempt.parts[$0.number] == nil && !standings[Int($0.number)].isOut }.map {
        (message(.sign(attempt.session.signers)), to: $0.number)
      }
    }
    let waiting = standings.indices.filter { member in
      !standings[member].isOut && !free.contains { $0.number == member }
    }
    return waiting.map { (question, to: UInt32($0)) } + missing
  }
}

extension CosignRound.Standing {
  /// Whether the member signs nothing any more.
  var isOut: Bool {
    switch self {
    case .denied, .lied: true
    default: false
    }
  }
}
