public import Encodings
import Nostr
public import Threshold

/// One member's side: what it does with the messages of coordinators. A value without clock, network or disk; one thread uses it at a time.
///
/// The member decides on the event that it was shown, and signs that event or nothing. Whatever a coordinator says, each nonce signs once: it
/// is in memory only and gone with its use, and all of them are gone with the process. After the clock was set, or the machine was restored
/// from a snapshot, call `burn()`.
public struct CosignMember: ~Copyable {
  /// The most requests of one coordinator that are under way.
  public static let mostRequests = 64
  /// The most attempts at one signature. Each needs a nonce of its own.
  public static let mostAttempts = 32
  /// The longest time for which a request is kept, in seconds.
  public static let longestWait: Int64 = 86_400

  /// What is to be done after a message.
  public enum Action: Sendable {
    /// Tell another member.
    case send(CosignMessage, to: UInt32)
    /// Decide whether to do the task. Record the decision, then call `approve` or `decline`.
    case decide(CosignTask, request: Bytes32, from: UInt32)
  }

  /// The group.
  public let group: CosignGroup
  private let share: KeyShare
  private var requests: [Key: Request] = [:]

  /// Requests are told apart by who sent them, too: no member can disturb those of another.
  private struct Key: Hashable {
    let coordinator: UInt32
    let request: Bytes32
  }

  private struct Request {
    let task: CosignTask
    let expires: Int64
    var isApproved = false
    var isDenied = false
    var attempts = 0
    var nonce: OneNonce?
    /// The last attempt and its answer: a relay may bring the same message twice.
    var last: (signers: [CosignMessage.Signer], answer: CosignMessage)?
  }

  /// - Parameter share: this member's.
  /// - Throws: `.badGroup` when the group has no such share.
  public init(_ group: CosignGroup, share: KeyShare) throws(CosignError) {
    guard share.identifier < group.members.count, group.members[Int(share.identifier)].publicShare == share.publicShare else {
      throw .badGroup
    }
    (self.group, self.share) = (group, share)
  }

  /// This member's number.
  public var number: UInt32 { share.identifier }

  /// How many requests are known.
  public var count: Int { requests.count }

  /// - Parameters:
  ///   - from: the number of the member that sent it, which the channel proves.
  ///   - now: seconds since 1970.
  /// - Returns: what to do; nothing for what is for a coordinator.
  /// - Throws: why it is not followed.
  public mutating func receive(_ message: CosignMessage, from: UInt32, now: Int64) throws(CosignError) -> [Action] {
    guard message.group == group.id else { throw .otherGroup }
    guard from < group.members.count else { throw .stranger }
    forget(before: now)
    let key = Key(coordinator: from, request: message.request)
    switch message.content {
    case .ask(let task, let expires): return try ask(task, key, expires: expires, now)
    case .sign(let signers): return [.send(try sign(signers, key), to: from)]
    case .commit, .decline, .part: return []
    }
  }

  private mutating func ask(_ task: CosignTask, _ key: Key, expires: Int64, _ now: Int64) throws(CosignError) -> [Action] {
    if case .sign(let event) = task, event.pubkey != group.author { throw .otherAuthor }
    guard expires > now else { throw .expired }
    if let known = requests[key] {
      // The same question again is answered with the same nonce, as long as that is unused.
      guard known.task.id == task.id else { throw .unknownRequest }
      if known.isDenied { return [.send(message(key, .decline(.denied)), to: key.coordinator)] }
      guard let nonce = known.nonce, known.isApproved else { return [] }
      return [.send(message(key, .commit(nonce.shown)), to: key.coordinator)]
    }
    guard requests.keys.count(where: { $0.coordinator == key.coordinator }) < Self.mostRequests else { throw .tooMany }
    let latest = now.addingReportingOverflow(Self.longestWait)
    requests[key] = Request(task: task, expires: min(expires, latest.overflow ? .max : latest.partialValue))
    return [.decide(task, request: key.request, from: key.coordinator)]
  }

  private mutating func sign(_ signers: [CosignMessage.Signer], _ key: Key) throws(CosignError) -> CosignMessage {
    guard var request = requests[key] else { throw .unknownRequest }
    guard request.isApproved else { throw .notApproved }
    if let last = request.last, last.signers == signers { return last.answer }
    guard request.attempts < Self.mostAttempts else { throw .tooMany }
    guard let nonce = request.nonce, signers.contains(where: { $0.number == number && $0.nonce == nonce.shown }) else {
      throw .nonceSpent
    }
    let session = try CosignSession(group, signers, request.task)
    let next = try fresh(for: request.task)
    // From here on the nonce is gone, whatever happens.
    guard let secret = nonce.take() else { throw .nonceSpent }
    request.nonce = nil
    request.attempts += 1
    requests[key] = request
    let part = try session.part(secret, share: share)
    let answer = message(key, .part(part, nonce: nonce.shown, next: next.shown))
    (request.nonce, request.last) = (next, (signers, answer))
    requests[key] = request
    return answer
  }

  private func fresh(for task: CosignTask) throws(CosignError) -> OneNonce {
    do throws(ThresholdError) {
      return OneNonce(try share.nonce(publicKey: group.author, message: task.id.array))
    } catch { throw .failed(error) }
  }

  private func message(_ key: Key, _ content: CosignMessage.Content) -> CosignMessage {
    CosignMessage(group: group.id, request: key.request, content)
  }
}

// MARK: the owner

extension CosignMember {
  /// The owner, or its rules, said yes, and that is recorded.
  /// - Returns: what to tell the coordinator.
  /// - Throws: `.unknownRequest` for one that ended meanwhile.
  public mutating func approve(_ request: Bytes32, from coordinator: UInt32) throws(CosignError) -> Action {
    let key = Key(coordinator: coordinator, request: request)
    guard var known = requests[key], !known.isDenied else { throw .unknownRequest }
    known.isApproved = true
    let nonce: OneNonce
    if let unused = known.nonce { nonce = unused } else { nonce = try fresh(for: known.task) }
    known.nonce = nonce
    requests[key] = known
    return .send(message(key, .commit(nonce.shown)), to: coordinator)
  }

  /// The owner, or its rules, said no, or the answer takes a while.
  /// - Returns: what to tell the coordinator.
  /// - Throws: `.unknownRequest` for one that ended meanwhile.
  public mutating func decline(
    _ request: Bytes32, from coordinator: UInt32, because reason: CosignMessage.Reason
  ) throws(CosignError) -> Action {
    let key = Key(coordinator: coordinator, request: request)
    guard var known = requests[key] else { throw .unknownRequest }
    if reason == .denied {
      // A no is kept, so that nobody is asked again because the question came twice.
      (known.isDenied, known.isApproved, known.nonce) = (true, false, nil)
      requests[key] = known
    }
    return .send(message(key, .decline(reason)), to: coordinator)
  }

  /// Forgets all requests and their nonces.
  public mutating func burn() { requests = [:] }

  private mutating func forget(before now: Int64) { requests = requests.filter { $0.value.expires > now } }
}
