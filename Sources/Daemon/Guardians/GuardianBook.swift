internal import AuditLog
internal import Curve
internal import Encodings
internal import Locks
internal import Mnemonics
internal import SecretMemory
internal import Vault

/// A message on its way.
struct GuardianLetter: Sendable {
  let message: GuardianMessage
  /// One of our identities.
  let from: PublicKey
  let to: PublicKey
  /// Relays its owner named, besides those of the signer.
  var relays: [String] = []
}

/// Shares with guardians, shares kept for others, and requests for them: everything is a record of the vault. No relay, no clock.
///
/// What it answers is decided under one lock, and stored before a letter leaves.
final class GuardianBook: Sendable {
  /// Shares kept here for others, and of one owner.
  static let mostHeld = 64
  static let mostHeldOfOne = 8
  /// Requests that are open at once, and for one owner's shares.
  static let mostRequests = 64
  static let mostRequestsForOne = 4
  /// Requests are kept so long after they were made, in seconds, so that a copy of one is known.
  static let kept: Int64 = 60 * 24 * 3600
  /// Letters older than this are not read, in seconds: shorter than `kept`.
  static let oldest: Int64 = 30 * 24 * 3600
  /// A letter may be dated ahead by so much, in seconds.
  static let ahead: Int64 = 3600

  private static let listening = Array("guardian.listen".utf8)
  private let vault: Vault
  private let log: AuditLog
  private let turn = Locked(())

  init(_ vault: Vault, _ log: AuditLog) { (self.vault, self.log) = (vault, log) }

  // MARK: reading

  func guardians() throws(VaultError) -> [GuardianNote] {
    try vault.records(.guardian).filter { $0.id.first == GuardianNote.mark }.compactMap { GuardianNote(record: $0.value) }
  }

  func held() throws(VaultError) -> [HeldNote] {
    try vault.records(.guardian).filter { $0.id.first == HeldNote.mark }.compactMap { HeldNote(record: $0.value) }
  }

  func requests(_ part: ShareRequest.Part? = nil) throws(VaultError) -> [ShareRequest] {
    try vault.records(.shareRequest).compactMap { ShareRequest(record: $0.value) }
      .filter { part == nil || $0.part == part }.sorted { ($0.at, $0.name) < ($1.at, $1.name) }
  }

  /// Whether strangers may hand shares over.
  var isListening: Bool { (try? vault.value(.setting, id: Self.listening)) == [1] }

  func setListening(_ isListening: Bool) throws(VaultError) {
    try vault.transaction([.put(.setting, Self.listening, [isListening ? 1 : 0])])
  }

  /// Whether there is anything to listen to relays for.
  var isInUse: Bool {
    if isListening { return true }
    return !((try? vault.ids(.guardian)) ?? []).isEmpty || !((try? requests()) ?? []).filter(\.isOpen).isEmpty
  }

  /// Relays that letters of ours need.
  var relays: Set<String> {
    let named = ((try? guardians()) ?? []).flatMap(\.relays)
    return Set(named + ((try? requests()) ?? []).filter(\.isOpen).flatMap(\.relays))
  }

  // MARK: the owner's and the guardian's own steps

  /// Notes a guardian and makes the letter to him.
  func add(_ note: GuardianNote, share: Share) throws -> GuardianLetter {
    let words = try share.words().withBytes { String(decoding: $0, as: UTF8.self) }
    try turn.withLock { _ in try vault.transaction([.put(.guardian, note.id, note.record)]) }
    log.append(.event(.guardianAdded, identity: note.identity, client: note.guardian)) { _ in }
    return GuardianLetter(
      message: .keep(share: words, delay: note.delay), from: note.identity, to: note.guardian, relays: note.relays)
  }

  /// Forgets a guardian, or what is kept for somebody.
  /// - Returns: false when there is none of that name.
  func remove(_ name: String) throws -> Bool {
    try turn.withLock { _ in
      if let note = try guardians().first(where: { $0.name == name }) {
        try vault.transaction([.delete(kind: .guardian, id: note.id)])
        return true
      }
      guard let note = try held().first(where: { $0.name == name }) else { return false }
      try vault.transaction([.delete(kind: .guardian, id: note.id), .delete(kind: .heldShare, id: note.id)])
      return true
    }
  }

  /// Notes that a share was asked for. Made before the letter leaves, so that its answer is known.
  func asked(_ request: ShareRequest) throws { try store(request) }

  /// The guardian says yes: it is given when the time is over.
  func release(_ name: String) throws(OperationFailure) {
    try change(name, .guardian, to: .approved, from: [.waiting]) { _ in [] }
  }

  func refuse(_ name: String) throws(OperationFailure) -> [GuardianLetter] {
    try change(name, .guardian, to: .refused, from: [.waiting, .approved]) { request in
      [GuardianLetter(message: .no(request: request.request, isCancelled: false), from: request.identity, to: request.other)]
    }
  }

  /// The owner says no. It holds when the guardian has heard it.
  func cancel(_ name: String) throws(OperationFailure) -> [GuardianLetter] {
    try change(name, .owner, to: .waiting, from: [.waiting]) { request in
      [
        GuardianLetter(
          message: .cancel(request: request.request), from: request.identity, to: request.other, relays: request.relays)
      ]
    }
  }

  @discardableResult
  private func change(
    _ name: String, _ part: ShareRequest.Part, to state: ShareRequest.State, from allowed: [ShareRequest.State],
    _ letters: (ShareRequest) -> [GuardianLetter]
  ) throws(OperationFailure) -> [GuardianLetter] {
    do {
      return try turn.withLock { _ in
        guard var request = try requests(part).first(where: { $0.name == name }) else {
          throw OperationFailure.noSuchShareRequest
        }
        guard allowed.contains(request.state) else {
          throw OperationFailure.failed("That request is over: \(request.state.rawValue).")
        }
        request.state = state
        try store(request)
        return letters(request)
      }
    } catch { throw OperationFailure(error) }
  }

  private func store(_ request: ShareRequest) throws { try vault.transaction([.put(.shareRequest, request.id, request.record)]) }

  // MARK: letters

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
    return try turn.withLock { _ in
      switch message {
      case .keep(let share, let delay): return try keep(share, delay, author, identity, now)
      case .kept(let kit, let group, let member): try noteKept(kit, group, member, author, now)
      case .ask(let kit, let note): return try ask(kit, note, id, author, identity, now)
      case .asked(let request, let kit, let by, let until, let note):
        // Only from somebody who was given a share of this kit.
        guard let mine = try guardians().first(where: { $0.guardian == author && $0.kit == kit }),
          try requests(.owner).filter({ $0.other == author }).count < Self.mostRequests,
          try find(request, .owner) == nil
        else { return [] }
        try store(
          ShareRequest(
            part: .owner, request: request, identity: mine.identity, other: author, third: by, kit: kit, note: note, at: now,
            until: until, state: .waiting, relays: mine.relays))
        log.append(.event(.guardianAsked, identity: mine.identity, client: by)) { _ in }
      case .waiting(let request, let until):
        guard var mine = try find(request, .asker), mine.other == author, mine.state == .waiting else { return [] }
        mine.until = until
        try store(mine)
      case .cancel(let request): return try cancelled(request, author)
      case .give(let request, let share): try given(request, share, author)
      case .no(let request, let isCancelled):
        for part in [ShareRequest.Part.asker, .owner] {
          guard var mine = try find(request, part), mine.other == author, mine.isOpen else { continue }
          mine.state = isCancelled ? .cancelled : .refused
          try store(mine)
        }
      }
      return []
    }
  }

  private func find(_ request: Bytes32, _ part: ShareRequest.Part) throws -> ShareRequest? {
    try vault.value(.shareRequest, id: Array(part.rawValue.utf8) + request.array).flatMap { ShareRequest(record: $0) }
  }

  private func keep(
    _ words: String, _ delay: Int64, _ owner: PublicKey, _ identity: PublicKey, _ now: Int64
  ) throws -> [GuardianLetter] {
    guard isListening, let share = Self.share(words) else { return [] }
    let numbers = share.numbers
    let note = HeldNote(
      owner: owner, identity: identity, kit: numbers.kit, group: numbers.groupIndex, member: numbers.memberIndex, delay: delay,
      since: now)
    let held = try held()
    // What is kept already stays as it was: nobody shortens a delay afterwards.
    if !held.contains(where: { $0.id == note.id }) {
      // A request names a kit by its number alone: a second owner's of the same number would catch those for the first's.
      guard !held.contains(where: { $0.kit == note.kit && $0.identity == identity && $0.owner != owner }) else { return [] }
      guard held.count < Self.mostHeld, held.filter({ $0.owner == owner }).count < Self.mostHeldOfOne else { return [] }
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
        $0.guardian == guardian && $0.kit == kit && $0.group == group && $0.member == member
      }), note.kept == nil
    else { return }
    note.kept = now
    try vault.transaction([.put(.guardian, note.id, note.record)])
  }

  /// Somebody asks. Whoever it is: the owner of the share hears of it, and nothing leaves before the time is over and the person
  /// here said yes. Nobody learns whether a share is kept that is not.
  private func ask(
    _ kit: String, _ note: String, _ id: Bytes32, _ asker: PublicKey, _ identity: PublicKey, _ now: Int64
  ) throws -> [GuardianLetter] {
    guard let held = try held().first(where: { $0.kit == kit && $0.identity == identity }), try find(id, .guardian) == nil else {
      return []
    }
    let open = try requests(.guardian).filter(\.isOpen)
    guard open.count < Self.mostRequests, open.filter({ $0.third == held.owner }).count < Self.mostRequestsForOne else {
      return []
    }
    let until = now + held.delay
    try store(
      ShareRequest(
        part: .guardian, request: id, identity: identity, other: asker, third: held.owner, kit: kit, note: note, at: now,
        until: until, state: .waiting, relays: []))
    log.append(.event(.guardianAsked, identity: identity, client: asker)) { _ in }
    return [
      GuardianLetter(
        message: .asked(request: id, kit: kit, by: asker, until: until, note: note), from: identity, to: held.owner),
      GuardianLetter(message: .waiting(request: id, until: until), from: identity, to: asker),
    ]
  }

  private func cancelled(_ id: Bytes32, _ author: PublicKey) throws -> [GuardianLetter] {
    // The owner of the share alone.
    guard var request = try find(id, .guardian), request.third == author, request.isOpen else { return [] }
    request.state = .cancelled
    try store(request)
    log.append(.event(.guardianCancelled, identity: request.identity, client: request.other)) { _ in }
    let no = GuardianMessage.no(request: id, isCancelled: true)
    return [
      GuardianLetter(message: no, from: request.identity, to: request.other),
      GuardianLetter(message: no, from: request.identity, to: author),
    ]
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

  private static let receivedMark = UInt8(ascii: "r")

  private static func receivedID(_ request: ShareRequest, _ numbers: ShareNumbers) -> [UInt8] {
    [receivedMark] + Array("\(request.kit).\(numbers.groupIndex).\(numbers.memberIndex)".utf8)
  }

  /// The shares that came back for a kit, as secrets.
  func sharesReceived(kit: String?) throws(VaultError) -> [SecretBox] {
    var shares: [SecretBox] = []
    for id in try vault.ids(.heldShare) where id.first == Self.receivedMark {
      guard kit == nil || id.dropFirst().starts(with: Array("\(kit ?? "").".utf8)) else { continue }
      shares.append(SecretBox(try vault.secret(kind: .heldShare, id: id)))
    }
    return shares
  }

  // MARK: time

  /// Requests whose time is over and that the person here allowed, with the letters that give the shares.
  func due(now: Int64) throws -> [(request: ShareRequest, letters: [GuardianLetter])] {
    try turn.withLock { _ in
      try requests(.guardian).filter { $0.state == .approved && $0.until <= now }.map { request in
        let held = try held().filter { $0.kit == request.kit && $0.owner == request.third && $0.identity == request.identity }
        let letters = try held.map { note in
          let words = try vault.secret(kind: .heldShare, id: note.id).withBytes { String(decoding: $0, as: UTF8.self) }
          return GuardianLetter(message: .give(request: request.request, share: words), from: request.identity, to: request.other)
        }
        return (request, letters)
      }
    }
  }

  /// A relay took the shares of a request. Also of one that was stopped while they were on their way: what is gone is gone.
  func gave(_ given: ShareRequest) throws {
    try turn.withLock { _ in
      guard var request = try find(given.request, .guardian) else { return }
      request.state = .given
      try store(request)
    }
    log.append(.event(.guardianReleased, identity: given.identity, client: given.other)) { _ in }
  }

  /// When the next of them is due, seconds since 1970; nil when none waits for time alone.
  func nextDue() throws -> Int64? { try requests(.guardian).filter { $0.state == .approved }.map(\.until).min() }

  /// Forgets requests of long ago.
  func forgetOld(now: Int64) throws {
    try turn.withLock { _ in
      let old = try requests().filter { $0.at < now - Self.kept }
      if !old.isEmpty { try vault.transaction(old.map { .delete(kind: .shareRequest, id: $0.id) }) }
    }
  }
}
