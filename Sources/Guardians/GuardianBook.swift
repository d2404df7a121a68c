import AuditLog
package import Curve
import Encodings
package import EntrustedShares
import Identities
import JSON
package import Mnemonics
import Platform
import SecretMemory
package import Signer
package import Vault

/// A message with its sender, recipient and relays.
package struct GuardianEnvelope: Sendable {
  package let message: GuardianMessage
  /// One of our identities.
  package let from: PublicKey
  package let to: PublicKey
  /// Relays that the owner named, besides those of the signer.
  package let relays: [String]

  package init(message: GuardianMessage, from: PublicKey, to: PublicKey, relays: [String] = []) {
    (self.message, self.from, self.to, self.relays) = (message, from, to, relays)
  }
}

/// Shares with guardians, shares kept for others, and requests for them. Everything is a record of the vault. It uses no relay,
/// and the time is a parameter.
///
/// Each answer is decided under one lock, and stored before an envelope is sent.
package final class GuardianBook: Sendable {
  /// The most shares that are kept here for others, and the most for one owner.
  static let mostHeld = 64
  static let mostHeldOfOne = 8
  /// The most shares of one owner and kit that wait for the consent of the person here.
  static let mostOfferedOfOne = 4
  /// The most requests for our shares that are remembered from one guardian's notices.
  static let mostNotices = 64
  /// The most displaced requests for shares of one kit that stay known here.
  static let mostDisplaced = 16
  /// How long requests are kept after they were made, in seconds, so that a copy of one is recognized.
  static let kept: Int64 = 60 * 24 * 3600
  /// Envelopes older than this are not read, in seconds. It is shorter than `kept`.
  static let oldest: Int64 = 30 * 24 * 3600
  /// How far ahead an envelope may be dated, in seconds.
  static let ahead: Int64 = 3600

  // Codes in the log, for programs.
  static let refused: AuditRule = "guardian-refused"
  static let cancelledHere: AuditRule = "owner-cancelled"
  static let shareRemoved: AuditRule = "share-removed"
  static let guardianRemoved: AuditRule = "guardian-removed"

  let vault: Vault
  let outbox: Outbox
  let turn = SerialGuard()
  let entries = Locked(AskedEntries())

  package init(_ vault: Vault, _ outbox: Outbox) { (self.vault, self.outbox) = (vault, outbox) }

  // MARK: reading

  /// Our shares with guardians.
  package func guardians() throws(VaultError) -> [EntrustedShare] { try entrusted(.given) }

  /// Shares that are kept here for others.
  func held() throws(VaultError) -> [EntrustedShare] { try entrusted(.kept).filter { !$0.isOffered } }

  /// Shares that are kept here, and those that wait for the consent of the person here.
  package func heldAndOffered() throws(VaultError) -> [EntrustedShare] { try entrusted(.kept) }

  private func entrusted(_ side: EntrustedShare.Side) throws(VaultError) -> [EntrustedShare] {
    try vault.records(.guardian).compactMap { EntrustedShare(id: $0.id, record: $0.value) }.filter { $0.side == side }
  }

  package func requests(_ part: ShareRequest.Part? = nil) throws(VaultError) -> [ShareRequest] {
    try vault.records(.shareRequest).compactMap { ShareRequest(record: $0.value) }
      .filter { part == nil || $0.part == part }.sorted { ($0.at, $0.name) < ($1.at, $1.name) }
  }

  /// Our identities that get envelopes, each with the relays that were named for it: an identity that has a share with a
  /// guardian, keeps a share, asked for one, or takes shares from others.
  package func correspondents(_ all: [PublicKey]) -> [PublicKey: Set<String>] {
    var found: [PublicKey: Set<String>] = [:]
    for key in listeners(all) { found[key] = [] }
    for share in ((try? guardians()) ?? []) + ((try? heldAndOffered()) ?? []) {
      found[share.identity, default: []].formUnion(share.relays)
    }
    for request in ((try? requests()) ?? []).filter(\.isOpen) { found[request.identity, default: []].formUnion(request.relays) }
    return found
  }

  /// The relays that one of our identities uses with somebody.
  func relays(_ identity: PublicKey, with other: PublicKey) -> Set<String> {
    let shares = ((try? guardians()) ?? []).filter { $0.identity == identity && $0.other == other }.flatMap(\.relays)
    let asked = ((try? requests()) ?? []).filter { $0.identity == identity && $0.other == other }.flatMap(\.relays)
    return Set(shares + asked)
  }

  // MARK: what the owner and the guardian do

  /// Records a guardian, and makes the message that hands over the share. If he has this share already, its recorded relays stay and the
  /// new ones are added.
  /// - Throws: `GuardianError.givenFromOther` if another identity of ours gave it to him: his warnings go to that one.
  package func add(_ note: EntrustedShare, share: Share) throws -> GuardianEnvelope {
    let words = try share.words().withBytes { String(decoding: $0, as: UTF8.self) }
    let code = try turn.withLock {
      var note = note
      if let known = try guardians().first(where: { $0.id == note.id }) {
        guard known.identity == note.identity else { throw GuardianError.givenFromOther(known.identity) }
        note.relays = known.relays + note.relays.filter { !known.relays.contains($0) }
      }
      let (code, changes) = try codeOrNew(note.kit)
      try outbox.recording(.event(.guardianAdded, identity: note.identity, client: note.other)) {
        try vault.transaction([.put(.guardian, note.id, note.record)] + changes)
      }
      return code
    }
    return GuardianEnvelope(
      message: .keep(share: words, delay: note.delay, code: code), from: note.identity, to: note.other, relays: note.relays)
  }

  /// Forgets a guardian, or what is kept for somebody. It stays forgotten even if relays send the envelope again.
  /// - Parameter now: seconds since 1970.
  /// - Returns: false if there is none of that name.
  package func remove(_ name: String, now: Int64) throws -> Bool {
    try turn.withLock {
      guard let note = try (guardians() + heldAndOffered()).first(where: { $0.name == name }) else { return false }
      let words: [RecordChange] =
        note.side == .kept ? [.delete(kind: .heldShare, id: note.id)] + (try remembering(removalOf: note, now: now)) : []
      let code = note.side == .kept ? Self.shareRemoved : Self.guardianRemoved
      try outbox.recording(.event(.guardianRemoved, identity: note.identity, client: note.other, code: code)) {
        try vault.transaction([.delete(kind: .guardian, id: note.id)] + words)
      }
      return true
    }
  }

  /// Keeps a share that waited for the consent of the person here.
  /// - Returns: the envelope that tells its owner. Nil if there is none of that name.
  package func accept(_ name: String) throws -> GuardianEnvelope? {
    try turn.withLock {
      guard var note = try heldAndOffered().first(where: { $0.name == name && $0.isOffered }) else { return nil }
      note.isOffered = false
      try recordingKept(note) { try vault.transaction([.put(.guardian, note.id, note.record)]) }
      return Self.confirmation(of: note)
    }
  }

  /// Records that a share was asked for. Call it before the envelope is sent, so that its answer is recognized.
  package func asked(_ request: ShareRequest) throws { try store(request) }

  /// The guardian agrees: the share is given when the waiting time is over. The owner is told again; if the owner was not told
  /// before, the whole waiting time begins now. The asker learns now for the first time that something is kept here.
  package func release(_ name: String, at moment: Moment) throws -> [GuardianEnvelope] {
    try change(name, .guardian, to: .approved, from: [.waiting], .guardianAllowed) { request, _ in
      guard let owner = request.third else { return [] }
      if !request.isTold || request.wait == nil { try begin(&request, at: moment) }
      request.isTold = true
      request.until = try expectedEnd(of: request, at: moment)
      return [
        GuardianEnvelope(message: .asked(notice(of: request)), from: request.identity, to: owner),
        GuardianEnvelope(
          message: .waiting(request: request.request, until: request.until), from: request.identity, to: request.other),
      ]
    }
  }

  /// The guardian refuses. An asker who was never told of a consent is told nothing, because a refusal would show that something
  /// is kept here.
  package func refuse(_ name: String) throws -> [GuardianEnvelope] {
    try change(name, .guardian, to: .refused, from: [.waiting, .approved, .giving], .guardianCancelled, Self.refused) {
      request, wasAllowed in
      guard wasAllowed else { return [] }
      return [GuardianEnvelope(message: .no(request: request.request, why: .refused), from: request.identity, to: request.other)]
    }
  }

  /// The owner cancels the requests of that name, at every guardian who reported one. A guardian stops once the message has reached him.
  /// - Parameter canWrite: whether that identity of ours can send messages now. Requests reported to other identities stay as they are.
  package func cancel(_ name: String, canWrite: (PublicKey) -> Bool = { _ in true }) throws -> [GuardianEnvelope] {
    try turn.withLock {
      let found = try requests(.owner).filter { $0.name == name }
      guard let first = found.first else { throw GuardianError.noSuchRequest }
      let open = found.filter { $0.state == .waiting || $0.state == .approved }
      guard !open.isEmpty else { throw GuardianError.requestIsOver(first.state) }
      let written = open.filter { canWrite($0.identity) }
      for request in written {
        try store(request, as: .guardianCancelled, Self.cancelledHere)
      }
      return written.map {
        GuardianEnvelope(message: .cancel(request: $0.request), from: $0.identity, to: $0.other, relays: $0.relays)
      }
    }
  }

  private func change(
    _ name: String, _ part: ShareRequest.Part, to state: ShareRequest.State, from allowed: [ShareRequest.State],
    _ kind: AuditEntry.Kind, _ code: AuditRule? = nil,
    _ envelopes: (inout ShareRequest, _ wasAllowed: Bool) throws -> [GuardianEnvelope]
  ) throws -> [GuardianEnvelope] {
    try turn.withLock {
      guard var request = try requests(part).first(where: { $0.name == name }) else {
        throw GuardianError.noSuchRequest
      }
      guard allowed.contains(request.state) else {
        throw GuardianError.requestIsOver(request.state)
      }
      let wasAllowed = request.isAllowed
      request.state = state
      let envelopes = try envelopes(&request, wasAllowed)
      try store(request, as: kind, code)
      return envelopes
    }
  }

  /// Stores a request in one step with its entry in the log.
  func store(_ request: ShareRequest, as kind: AuditEntry.Kind, _ code: AuditRule? = nil) throws {
    try outbox.recording(.event(kind, identity: request.identity, client: request.other, code: code)) { try store(request) }
  }

  func store(_ request: ShareRequest) throws { try vault.transaction([.put(.shareRequest, request.id, request.record)]) }
}
