internal import AuditLog
internal import Curve
internal import Encodings
internal import Locks
internal import Mnemonics
internal import SecretMemory
internal import Vault

/// Letters, and what is made of them.
extension GuardianBook {
  /// Takes a letter whose author is certain.
  /// - Parameters:
  ///   - id: the rumor's.
  ///   - sent: when its author says it was written, seconds since 1970.
  ///   - to: the identity of ours it is for.
  /// - Returns: letters to send.
  func take(
    _ message: GuardianMessage, id: Bytes32, from author: PublicKey, to identity: PublicKey, sent: Int64, now: Int64
  ) throws -> [GuardianLetter] {
    guard sent <= now + Self.ahead, sent >= now - Self.oldest else { return [] }
    return try turn.withLock { told in
      switch message {
      case .keep(let share, let delay, let code):
        return try keep(share, delay, code.map { ($0, min(sent, now)) }, author, identity, now)
      case .code(let kit, let code): try setCode(code, kit, author, identity, min(sent, now))
      case .kept(let kit, let group, let member): try noteKept(kit, group, member, author, now)
      case .ask(let kit, let note, let proof):
        let request = Asking(kit: kit, note: note, proof: proof, id: id, asker: author, identity: identity, sent: min(sent, now))
        return try ask(request, now, &told)
      case .asked(let notice): try noteNotice(notice, author, now)
      case .waiting(let request, let until):
        guard var mine = try find(request, .asker), mine.other == author, mine.state == .waiting else { return [] }
        mine.until = until
        try store(mine)
      case .cancel(let request): return try cancelled(request, author)
      case .give(let request, let share): try given(request, share, author)
      case .no(let request, let why):
        for part in [ShareRequest.Part.asker, .owner] {
          guard var mine = try find(request, part), mine.other == author, mine.isOpen else { continue }
          mine.state = why.state
          try store(mine)
        }
      }
      return []
    }
  }

  func find(_ request: Bytes32, _ part: ShareRequest.Part) throws -> ShareRequest? {
    try vault.value(.shareRequest, id: Array(part.rawValue.utf8) + request.array).flatMap { ShareRequest(record: $0) }
  }

  private func keep(
    _ words: String, _ delay: Int64, _ code: (RequestCode, set: Int64)?, _ owner: PublicKey, _ identity: PublicKey, _ now: Int64
  ) throws -> [GuardianLetter] {
    guard let share = Self.share(words) else { return [] }
    let numbers = share.numbers
    let note = EntrustedShare(
      side: .kept, other: owner, identity: identity, kit: numbers.kit, group: numbers.groupIndex, member: numbers.memberIndex,
      delay: delay, at: now, code: code?.0, codeSet: code?.set ?? 0)
    let held = try held()
    // What is kept already stays as it was, but for the code: nobody shortens a delay afterwards.
    if held.contains(where: { $0.id == note.id }) {
      if let code { try setCode(code.0, note.kit, owner, identity, code.set) }
    } else {
      guard isListening(identity) else { return [] }
      // A request names a kit by its number alone: a second owner's of the same number would catch those for the first's.
      guard !held.contains(where: { $0.kit == note.kit && $0.identity == identity && $0.other != owner }) else { return [] }
      guard held.count < Self.mostHeld, held.filter({ $0.other == owner }).count < Self.mostHeldOfOne else { return [] }
      try vault.transaction([
        .put(.guardian, note.id, note.record), .put(.heldShare, note.id, SecretBox(try share.words()), .whenUnlocked),
      ])
    }
    return [
      GuardianLetter(
        message: .kept(kit: note.kit, group: note.group, member: note.member), from: identity, to: owner)
    ]
  }

  private static func share(_ words: String) -> Share? {
    var bytes = Array(words.utf8)
    guard bytes.count <= ShareText.limit, !bytes.isEmpty, let secret = try? SecretBytes(wiping: &bytes) else { return nil }
    do { return try Share(words: secret) } catch { return nil }
  }

  private func noteKept(_ kit: String, _ group: Int, _ member: Int, _ guardian: PublicKey, _ now: Int64) throws {
    guard
      var note = try guardians().first(where: {
        $0.other == guardian && $0.kit == kit && $0.group == group && $0.member == member
      }), note.confirmed == nil
    else { return }
    note.confirmed = now
    try vault.transaction([.put(.guardian, note.id, note.record)])
  }

  private func given(_ id: Bytes32, _ words: String, _ author: PublicKey) throws {
    guard var mine = try find(id, .asker), mine.other == author, mine.state == .waiting || mine.state == .given,
      let share = Self.share(words), share.numbers.kit == mine.kit, mine.shares < SharePlan.most
    else { return }
    mine.state = .given
    mine.shares += 1
    let place = Self.receivedID(mine, share.numbers)
    try vault.transaction([
      .put(.shareRequest, mine.id, mine.record), .put(.heldShare, place, SecretBox(try share.words()), .whenUnlocked),
    ])
  }
}

extension GuardianMessage.Refusal {
  fileprivate var state: ShareRequest.State {
    switch self {
    case .refused: .refused
    case .cancelled: .cancelled
    case .displaced: .displaced
    }
  }
}
