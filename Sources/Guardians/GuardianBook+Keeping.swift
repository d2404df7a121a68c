import AuditLog
import Curve
import EntrustedShares
import Mnemonics
import SecretMemory
import Signer
import Vault

/// What an envelope that hands over a share says.
struct Keeping {
  let words: String
  /// In seconds.
  let delay: Int64
  let code: RequestCode?
  let owner: PublicKey
  /// Our identity that the share is for.
  let identity: PublicKey
  /// When it was written according to its author, seconds since 1970. It may be ahead.
  let sent: Int64

  init(_ words: String, _ delay: Int64, _ code: RequestCode?, owner: PublicKey, identity: PublicKey, sent: Int64) {
    (self.words, self.delay, self.code) = (words, delay, code)
    (self.owner, self.identity, self.sent) = (owner, identity, sent)
  }
}

/// Taking shares from others.
///
/// The first share of a kit is kept if the person here takes shares from others. A second share of the same kit, a share of a kit
/// that the person removed before, and a share that a restore may have lost need the person's consent, because whoever has the
/// owner's key can send them.
extension GuardianBook {
  /// - Parameter now: seconds since 1970.
  func keep(_ keeping: Keeping, _ now: Int64) throws -> [GuardianEnvelope] {
    guard let share = Self.share(keeping.words) else { return [] }
    let (words, kit) = (SecretBox(try share.words()), share.numbers.kit)
    let all = try heldAndOffered()
    let ofThisKit = all.filter { $0.kit == kit && $0.identity == keeping.identity }
    let mine = ofThisKit.filter { $0.other == keeping.owner }
    if let known = try mine.first(where: { try isStored(words, as: $0) }) { return try keepAgain(known, keeping, now) }
    // A request names a kit by its number only. A second owner's kit with the same number would catch requests for the first
    // one's.
    guard isListening(keeping.identity), mine.count == ofThisKit.count, try isRoom(for: keeping.owner, among: all) else {
      return []
    }
    let removed = try removed(keeping.owner, keeping.identity, kit)
    guard keeping.sent > removed ?? .min else { return [] }
    let numbers = share.numbers
    var note = EntrustedShare(
      side: .kept, other: keeping.owner, identity: keeping.identity, kit: kit, group: numbers.groupIndex,
      member: numbers.memberIndex, delay: keeping.delay, at: now, code: keeping.code, codeSet: min(keeping.sent, now),
      sent: keeping.sent)
    if mine.contains(where: { $0.place == note.place }) { note.variant = Self.variant(of: try words.duplicate()) }
    note.isOffered = try !mine.isEmpty || removed != nil || keeping.sent <= deafUntil(now: now)
    guard !note.isOffered || mine.count(where: \.isOffered) < Self.mostOfferedOfOne else { return [] }
    let changes: [RecordChange] = [.put(.guardian, note.id, note.record), .put(.heldShare, note.id, words, .whenUnlocked)]
    guard !note.isOffered else {
      try vault.transaction(changes)
      return []
    }
    try recordingKept(note) { try vault.transaction(changes) }
    return [Self.confirmation(of: note)]
  }

  /// A share that is already kept stays as it was, except for the code: nobody can shorten a delay afterwards.
  private func keepAgain(_ known: EntrustedShare, _ keeping: Keeping, _ now: Int64) throws -> [GuardianEnvelope] {
    if let code = keeping.code { try setCode(code, known.kit, keeping.owner, keeping.identity, min(keeping.sent, now)) }
    return known.isOffered ? [] : [Self.confirmation(of: known)]
  }

  private func isStored(_ words: SecretBox, as note: EntrustedShare) throws -> Bool {
    let stored = try vault.secret(kind: .heldShare, id: note.id)
    return words.withBytes { words in stored.withBytes { constantTimeEqual($0, words) } }
  }

  private func isRoom(for owner: PublicKey, among all: [EntrustedShare]) throws -> Bool {
    all.count < Self.mostHeld && all.count { $0.other == owner } < Self.mostHeldOfOne
  }

  func recordingKept(_ note: EntrustedShare, _ body: () throws -> Void) throws {
    try outbox.recording(.event(.shareKept, identity: note.identity, client: note.other), body: body)
  }

  static func confirmation(of note: EntrustedShare) -> GuardianEnvelope {
    GuardianEnvelope(
      message: .kept(kit: note.kit, group: note.group, member: note.member), from: note.identity, to: note.other)
  }
}
