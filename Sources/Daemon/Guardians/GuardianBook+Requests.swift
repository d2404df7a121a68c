internal import AuditLog
internal import Curve
internal import Encodings
internal import Vault

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
  /// Somebody asks. Whoever it is: nothing leaves before the owner had time to hear of it and the person here said yes. Nobody learns
  /// whether a share is kept that is not.
  func ask(_ asking: Asking, _ now: Int64, _ told: inout Told) throws -> [GuardianLetter] {
    guard let held = try held().first(where: { $0.kit == asking.kit && $0.identity == asking.identity }),
      try find(asking.id, .guardian) == nil
    else { return [] }
    let owner = held.other
    var request = ShareRequest(
      part: .guardian, request: asking.id, identity: asking.identity, other: asking.asker, third: owner, kit: asking.kit,
      note: asking.note, at: now, until: now + held.delay, state: .waiting, relays: [],
      standing: standing(of: asking, held), sent: asking.sent)
    let open = try requests(.guardian).filter { $0.isOpen && $0.third == owner && $0.kit == asking.kit }
    guard let displaced = RequestPlaces.displaced(by: request, among: open) else { return [] }
    request.isTold = request.standing != .unknown || told.isRoom(for: owner, now)
    try vault.transaction(
      displaced.map { .delete(kind: .shareRequest, id: $0.id) } + [.put(.shareRequest, request.id, request.record)])
    log.append(.event(.guardianAsked, identity: asking.identity, client: asking.asker)) { _ in }
    let toOwner = GuardianLetter(message: .asked(notice(of: request)), from: asking.identity, to: owner)
    let toAsker = GuardianLetter(
      message: .waiting(request: asking.id, until: request.until), from: asking.identity, to: asking.asker)
    let farewells = displaced.flatMap { gone in
      // Who asks anew knows that the earlier request is over.
      ((gone.other == asking.asker ? [] : [gone.other]) + (gone.isTold ? [owner] : [])).map {
        GuardianLetter(message: .no(request: gone.request, why: .displaced), from: gone.identity, to: $0)
      }
    }
    return (request.isTold ? [toOwner] : []) + [toAsker] + farewells
  }

  private func standing(of asking: Asking, _ held: EntrustedShare) -> ShareRequest.Standing {
    if asking.asker == held.other { return .owner }
    guard let code = held.code, let proof = asking.proof,
      code.isProved(by: proof, kit: asking.kit, guardian: asking.identity, asker: asking.asker)
    else { return .unknown }
    return .code
  }

  func notice(of request: ShareRequest) -> GuardianNotice {
    GuardianNotice(
      request: request.request, kit: request.kit, by: request.other, until: request.until, note: request.note,
      standing: request.standing, isAllowed: request.state == .approved)
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
    let forgotten = his.count < Self.mostNotices ? nil : his.first { $0.state != .approved }
    guard his.count < Self.mostNotices || forgotten != nil else { return }
    let request = ShareRequest(
      part: .owner, request: notice.request, identity: mine.identity, other: guardian, third: notice.by, kit: notice.kit,
      note: notice.note, at: now, until: notice.until, state: notice.isAllowed ? .approved : .waiting, relays: mine.relays,
      standing: notice.standing, sent: now)
    try vault.transaction(
      (forgotten.map { [.delete(kind: .shareRequest, id: $0.id)] } ?? []) + [.put(.shareRequest, request.id, request.record)])
    log.append(.event(.guardianAsked, identity: mine.identity, client: notice.by)) { _ in }
  }

  func cancelled(_ id: Bytes32, _ author: PublicKey) throws -> [GuardianLetter] {
    // The owner of the share alone.
    guard var request = try find(id, .guardian), request.third == author, request.isOpen else { return [] }
    request.state = .cancelled
    try store(request)
    log.append(.event(.guardianCancelled, identity: request.identity, client: request.other)) { _ in }
    let no = GuardianMessage.no(request: id, why: .cancelled)
    return [
      GuardianLetter(message: no, from: request.identity, to: request.other),
      GuardianLetter(message: no, from: request.identity, to: author),
    ]
  }
}

extension GuardianBook.Told {
  /// Whether an owner is told of one more stranger in this hour.
  fileprivate mutating func isRoom(for owner: PublicKey, _ now: Int64) -> Bool {
    if hour != now / 3600 { self = Self(hour: now / 3600) }
    guard count[owner, default: 0] < GuardianBook.mostToldInAnHour else { return false }
    count[owner, default: 0] += 1
    return true
  }
}
