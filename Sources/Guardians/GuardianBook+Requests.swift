import AuditLog
import Curve
import Encodings
import EntrustedShares
import Signer
import Vault

/// What a letter that asks for a share says.
struct Asking {
  let kit: String
  let note: String
  let proof: Bytes32?
  /// Of the rumor that asked.
  let id: Bytes32
  let asker: PublicKey
  /// The identity of ours that was asked.
  let identity: PublicKey
  /// Not later than it came.
  let sent: Int64
}

/// Requests for shares, on the guardian's and on the owner's side.
extension GuardianBook {
  /// Somebody asks. Whoever it is: nothing leaves before the owner had time to hear of it and the person here said yes.
  ///
  /// A stranger's request is answered like one for a kit of which nothing is kept, by silence: no letter leaves, not even to the owner,
  /// since whoever watches the relays would see it come. Who shows the code, or the owner's key, knows already what is kept: the owner is
  /// told at once.
  func ask(_ asking: Asking, _ moment: Moment) throws -> [GuardianEnvelope] {
    let held = try held().filter { $0.kit == asking.kit && $0.identity == asking.identity }
    // Of one number, shares of one owner only are kept.
    guard let owner = held.first?.other, try find(asking.id, .guardian) == nil, asking.sent > (try deafUntil(now: moment.wall))
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
    // Of the same standing as this one, so the owner was told of them, too.
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

  /// A guardian tells of a request for a share of ours: from somebody who was given one of this kit only. The oldest of his that were not
  /// allowed make room, so that no flood keeps out what counts.
  func noteNotice(_ notice: GuardianNotice, _ guardian: PublicKey, _ now: Int64) throws {
    guard let mine = try guardians().first(where: { $0.other == guardian && $0.kit == notice.kit }) else { return }
    if var known = try find(notice.request, .owner) {
      guard known.other == guardian, known.isOpen, notice.isAllowed else { return }
      (known.state, known.until) = (.approved, notice.until)
      return try store(known)
    }
    let his = try requests(.owner).filter { $0.other == guardian }
    let forgotten = his.count < Self.mostNotices ? nil : his.first { !$0.isAllowed }
    guard his.count < Self.mostNotices || forgotten != nil else { return }
    let request = ShareRequest(
      part: .owner, request: notice.request, identity: mine.identity, other: guardian, third: notice.by, kit: notice.kit,
      note: notice.note, at: now, until: notice.until, state: notice.isAllowed ? .approved : .waiting, relays: mine.relays,
      standing: notice.standing, sent: now)
    try outbox.recording(.event(.guardianAsked, identity: mine.identity, client: notice.by)) {
      try vault.transaction(
        (forgotten.map { [.delete(kind: .shareRequest, id: $0.id)] } ?? []) + [.put(.shareRequest, request.id, request.record)])
    }
  }

  func cancelled(_ id: Bytes32, _ author: PublicKey) throws -> [GuardianEnvelope] {
    // The owner of the share alone.
    guard var request = try find(id, .guardian), request.third == author, request.isOpen else { return [] }
    let wasAllowed = request.isAllowed
    request.state = .cancelled
    try outbox.recording(.event(.guardianCancelled, identity: request.identity, client: request.other)) { try store(request) }
    let no = GuardianMessage.no(request: id, why: .cancelled)
    // Who asked and heard nothing so far goes on hearing nothing.
    return ((wasAllowed ? [request.other] : []) + [author]).map {
      GuardianEnvelope(message: no, from: request.identity, to: $0)
    }
  }
}
