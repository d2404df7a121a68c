import Curve
import Encodings
import EntrustedShares
import Mnemonics
import Platform
import SecretMemory
import Vault

/// Takes messages from envelopes, and makes the answers.
extension GuardianBook {
  /// Takes the message of an envelope whose author was verified.
  /// - Parameters:
  ///   - id: the rumor's id.
  ///   - sent: when it was written according to its author, seconds since 1970.
  ///   - to: our identity that it is for.
  /// - Returns: envelopes to send.
  func take(
    _ message: GuardianMessage, id: Bytes32, from author: PublicKey, to identity: PublicKey, sent: Int64, at moment: Moment
  ) throws -> [GuardianEnvelope] {
    let now = moment.wall
    guard sent <= now + Self.ahead, sent >= now - Self.oldest else { return [] }
    return try turn.withLock {
      switch message {
      case .keep(let share, let delay, let code):
        return try keep(Keeping(share, delay, code, owner: author, identity: identity, sent: sent), now)
      case .code(let kit, let code): try setCode(code, kit, author, identity, min(sent, now))
      case .kept(let kit, let group, let member): try noteKept(kit, group, member, author, identity, now)
      case .ask(let kit, let note, let proof):
        let request = Asking(kit: kit, note: note, proof: proof, id: id, asker: author, identity: identity, sent: min(sent, now))
        return try ask(request, moment)
      case .asked(let notice): try noteNotice(notice, author, identity, sent: sent, now)
      case .waiting(let request, let until):
        guard var mine = try find(request, .asker, from: author), mine.other == author, mine.state == .waiting else { return [] }
        mine.until = Self.until(until, now)
        try store(mine)
      case .cancel(let request): return try cancelled(request, author)
      case .give(let request, let share): try given(request, share, author)
      case .no(let request, let why):
        try noteEnd(request, author, why, sent: sent)
        guard var mine = try find(request, .asker, from: author), mine.other == author, mine.isOpen else { return [] }
        mine.state = why.state
        try store(mine)
      }
      return []
    }
  }

  /// - Parameter other: the author of the message about the request. On the owner's side, each guardian's notice is a record of its own.
  func find(_ request: Bytes32, _ part: ShareRequest.Part, from other: PublicKey) throws -> ShareRequest? {
    try vault.value(.shareRequest, id: ShareRequest.id(part, request, guardian: other)).flatMap { ShareRequest(record: $0) }
  }

  static func share(_ words: String) -> Share? {
    var bytes = Array(words.utf8)
    guard bytes.count <= ShareText.limit, !bytes.isEmpty, let secret = try? SecretBytes(wiping: &bytes) else { return nil }
    do { return try Share(words: secret) } catch { return nil }
  }

  private func noteKept(_ kit: String, _ group: Int, _ member: Int, _ guardian: PublicKey, _ me: PublicKey, _ now: Int64) throws {
    guard
      var note = try guardians().first(where: {
        $0.other == guardian && $0.identity == me && $0.kit == kit && $0.group == group && $0.member == member
      }), note.confirmed == nil
    else { return }
    note.confirmed = now
    try vault.transaction([.put(.guardian, note.id, note.record)])
  }

  private func given(_ id: Bytes32, _ words: String, _ author: PublicKey) throws {
    guard var mine = try find(id, .asker, from: author), mine.other == author, mine.state == .waiting || mine.state == .given,
      let share = Self.share(words), share.numbers.kit == mine.kit, mine.shares < SharePlan.most
    else { return }
    let words = try share.words()
    let place = Self.receivedID(from: author, share.numbers, Self.variant(of: words))
    mine.state = .given
    // The guardian sent the same share again because he could not know that it had arrived.
    if try !vault.ids(.heldShare).contains(place) { mine.shares += 1 }
    try vault.transaction([
      .put(.shareRequest, mine.id, mine.record), .put(.heldShare, place, SecretBox(words), .whenUnlocked),
    ])
  }
}

extension GuardianMessage.Refusal {
  var state: ShareRequest.State {
    switch self {
    case .refused: .refused
    case .cancelled: .cancelled
    case .displaced: .displaced
    }
  }
}
