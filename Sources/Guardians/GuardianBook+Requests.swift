import AuditLog
import Curve
import Encodings
import EntrustedShares
import Platform
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
    let known = try requests(.guardian).filter { $0.third == owner && $0.kit == asking.kit }
    guard let displaced = RequestPlaces.displaced(by: request, among: known.filter(\.isOpen)) else { return [] }
    try storeAsked(request, moment.wall, with: ending(displaced, among: known))
    guard request.isTold else { return [] }
    // They have the same standing as this request, so the owner was told of them, too.
    let farewells = displaced.filter(\.isTold).map {
      GuardianEnvelope(message: .no(request: $0.request, why: .displaced), from: $0.identity, to: owner)
    }
    return [GuardianEnvelope(message: .asked(notice(of: request)), from: asking.identity, to: owner)] + farewells
  }

  /// Ends displaced requests. Those of which the owner was told stay known, so that a copy of one does not ask again. Of these only the
  /// newest are kept.
  private func ending(_ displaced: [ShareRequest], among known: [ShareRequest]) -> [RecordChange] {
    let ended = displaced.map { request in
      var request = request
      request.state = .displaced
      return request
    }
    let told = ended.filter(\.isTold)
    let older = known.filter { $0.state == .displaced }.sorted { $0.sent < $1.sent }
    let forgotten = older.prefix(max(0, older.count + told.count - Self.mostDisplaced)) + ended.filter { !$0.isTold }
    return told.map { .put(.shareRequest, $0.id, $0.record) } + forgotten.map { .delete(kind: .shareRequest, id: $0.id) }
  }

  /// Stores a request that is new, or open again, in one step with its entry in the log.
  private func storeAsked(_ request: ShareRequest, _ now: Int64, with changes: [RecordChange] = []) throws {
    let changes = changes + [.put(.shareRequest, request.id, request.record)]
    guard let entry = entries.withLock({ $0.next(request, now: now) }) else { return try vault.transaction(changes) }
    do { try outbox.recording(entry) { try vault.transaction(changes) } } catch {
      entries.change { $0.forget(request) }
      throw error
    }
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
  /// - Parameter sent: when the guardian wrote it, seconds since 1970.
  func noteNotice(_ notice: GuardianNotice, _ guardian: PublicKey, _ me: PublicKey, sent: Int64, _ now: Int64) throws {
    guard let mine = try guardians().first(where: { $0.other == guardian && $0.kit == notice.kit && $0.identity == me }) else {
      return
    }
    if let known = try find(notice.request, .owner, from: guardian) { return try noteAgain(known, notice, sent: sent, now) }
    let request = ShareRequest(
      part: .owner, request: notice.request, identity: mine.identity, other: guardian, third: notice.by, kit: notice.kit,
      note: notice.note, at: now, until: Self.until(notice.until, now), state: notice.isAllowed ? .approved : .waiting,
      relays: mine.relays, standing: notice.standing, sent: now, heard: sent)
    guard let forgotten = try forgotten(for: request) else { return }
    try storeAsked(request, now, with: forgotten.map { .delete(kind: .shareRequest, id: $0.id) })
  }

  /// Takes a further notice of a known request. A request that has ended is open again if the guardian wrote this after the end: he
  /// may give the share after all.
  private func noteAgain(_ known: ShareRequest, _ notice: GuardianNotice, sent: Int64, _ now: Int64) throws {
    let isNewer = sent > known.heard
    let isConsent = notice.isAllowed && !known.isAllowed
    guard isNewer || known.isOpen && isConsent else { return }
    var request = known
    request.heard = max(sent, known.heard)
    if !known.isOpen { request.state = .waiting }
    if isConsent { request.state = .approved }
    if request.state != known.state { request.until = Self.until(notice.until, now) }
    if known.isOpen { try store(request) } else { try storeAsked(request, now) }
  }

  /// The notice that makes room for a new one of the same guardian: the oldest that was not allowed, of ended requests first. The
  /// guardian's own times decide, so that nothing old takes a place when a relay sends it again.
  /// - Returns: nil if the new one gets no place.
  private func forgotten(for new: ShareRequest) throws -> [ShareRequest]? {
    let his = try requests(.owner).filter { $0.other == new.other }
    guard his.count >= Self.mostNotices else { return [] }
    let ended = his.filter { !$0.isOpen }
    let oldest = (ended.isEmpty ? his.filter { !$0.isAllowed } : ended).min { $0.heard < $1.heard }
    guard let oldest, new.isAllowed || new.heard > oldest.heard else { return nil }
    return [oldest]
  }

  /// Takes a guardian's word that a request has ended, unless he wrote later that it is open.
  func noteEnd(_ request: Bytes32, _ guardian: PublicKey, _ why: GuardianMessage.Refusal, sent: Int64) throws {
    guard var known = try find(request, .owner, from: guardian), sent > known.heard || known.isOpen && sent == known.heard else {
      return
    }
    known.heard = sent
    if known.isOpen { known.state = why.state }
    try store(known)
  }

  /// Notices to send again while the owners can still stop the requests: a relay may have lost the first one, or a flood hidden it.
  func openNotices() throws -> [GuardianEnvelope] {
    try requests(.guardian).filter { $0.isOpen && $0.isTold }.compactMap { request in
      request.third.map { GuardianEnvelope(message: .asked(notice(of: request)), from: request.identity, to: $0) }
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
