import AuditLog
import Curve
import Encodings
import EntrustedShares
import Signer
import Vault

/// What an envelope that asks for a share says.
struct Asking {
  let kit: String
  let note: String
  let proof: Bytes32?
  /// The id of the rumor that asked.
  let id: Bytes32
  let asker: PublicKey
  /// Our identity that was asked.
  let identity: PublicKey
  /// Not later than its arrival.
  let sent: Int64
}

/// Requests for shares, on the guardian's and on the owner's side.
extension GuardianBook {
  /// Takes a request. Whoever asks, nothing is sent before the owner had time to learn of it and the person here agreed.
  ///
  /// A stranger gets the same answer as for a kit of which nothing is kept here: silence. Nothing is sent to the owner either, because
  /// somebody who watches the relays would see it and learn that a share is kept here. Somebody who knows the request code, or has the
  /// owner's key, already knows that: the owner is told at once.
  func ask(_ asking: Asking, _ moment: Moment) throws -> [GuardianEnvelope] {
    let held = try held().filter { $0.kit == asking.kit && $0.identity == asking.identity }
    // Shares of kits with the same number are kept for one owner only.
    guard let owner = held.first?.other, try find(asking.id, .guardian, from: asking.asker) == nil,
      asking.sent > (try deafUntil(now: moment.wall))
    else { return [] }
    var request = ShareRequest(
      part: .guardian, request: asking.id, identity: asking.identity, other: asking.asker, third: owner, kit: asking.kit,
      note: asking.note, at: moment.wall, until: 0, state: .waiting, relays: [], standing: Self.standing(of: asking, held),
      sent: asking.sent)
    request.isTold = request.standing != .unknown
    if request.isTold { try begin(&request, at: moment) }
    let open = try requests(.guardian).filter { $0.isOpen && $0.third == owner && $0.kit == asking.kit }
    guard let displaced = RequestPlaces.displaced(by: request, among: open) else { return [] }
    try outbox.recording(.event(.guardianAsked, identity: asking.identity, client: asking.asker)) {
      try vault.transaction(
        displaced.map { .delete(kind: .shareRequest, id: $0.id) } + [.put(.shareRequest, request.id, request.record)])
    }
    guard request.isTold else { return [] }
    // They have the same standing as this request, so the owner was told of them, too.
    let farewells = displaced.filter(\.isTold).map {
      GuardianEnvelope(message: .no(request: $0.request, why: .displaced), from: $0.identity, to: owner)
    }
    return [GuardianEnvelope(message: .asked(notice(of: request)), from: asking.identity, to: owner)] + farewells
  }

  private static func standing(of asking: Asking, _ held: [EntrustedShare]) -> ShareRequest.Standing {
    if held.contains(where: { $0.other == asking.asker }) { return .owner }
    guard let proof = asking.proof else { return .unknown }
    let isProved = held.compactMap(\.code).contains {
      $0.isProved(by: proof, kit: asking.kit, guardian: asking.identity, asker: asking.asker)
    }
    return isProved ? .code : .unknown
  }

  func notice(of request: ShareRequest) -> GuardianNotice {
    GuardianNotice(
      request: request.request, kit: request.kit, by: request.other, until: request.until, note: request.note,
      standing: request.standing, isAllowed: request.isAllowed)
  }

  /// Takes a guardian's notice of a request for one of our shares, if the identity that got the notice gave him a share of this kit.
  /// When there are too many, the oldest of his notices that were not allowed are removed, so that a flood does not keep out
  /// important ones.
  func noteNotice(_ notice: GuardianNotice, _ guardian: PublicKey, _ me: PublicKey, _ now: Int64) throws {
    guard let mine = try guardians().first(where: { $0.other == guardian && $0.kit == notice.kit && $0.identity == me }) else {
      return
    }
    let until = Self.until(notice.until, now)
    if var known = try find(notice.request, .owner, from: guardian) {
      guard known.isOpen, notice.isAllowed else { return }
      (known.state, known.until) = (.approved, until)
      return try store(known)
    }
    let his = try requests(.owner).filter { $0.other == guardian }
    let forgotten = his.count < Self.mostNotices ? nil : his.first { !$0.isAllowed }
    guard his.count < Self.mostNotices || forgotten != nil else { return }
    let request = ShareRequest(
      part: .owner, request: notice.request, identity: mine.identity, other: guardian, third: notice.by, kit: notice.kit,
      note: notice.note, at: now, until: until, state: notice.isAllowed ? .approved : .waiting, relays: mine.relays,
      standing: notice.standing, sent: now)
    try outbox.recording(.event(.guardianAsked, identity: mine.identity, client: notice.by)) {
      try vault.transaction(
        (forgotten.map { [.delete(kind: .shareRequest, id: $0.id)] } ?? []) + [.put(.shareRequest, request.id, request.record)])
    }
  }

  /// The end of a waiting time as another signer reported it, limited to what is possible: from 1970 to the longest waiting time from now.
  static func until(_ told: Int64, _ now: Int64) -> Int64 { min(max(0, told), now + GuardianMessage.delays.upperBound + ahead) }

  func cancelled(_ id: Bytes32, _ author: PublicKey) throws -> [GuardianEnvelope] {
    // Only the owner of the share may cancel.
    guard var request = try find(id, .guardian, from: author), request.third == author, request.isOpen else { return [] }
    let wasAllowed = request.isAllowed
    request.state = .cancelled
    try store(request, as: .guardianCancelled)
    let no = GuardianMessage.no(request: id, why: .cancelled)
    // An asker who got no answer so far gets none now either.
    return ((wasAllowed ? [request.other] : []) + [author]).map {
      GuardianEnvelope(message: no, from: request.identity, to: $0)
    }
  }
}
