import Curve
import Encodings
import EntrustedShares
import Guardians
import Identities
import JSON
import Mnemonics
import Nostr
import OwnerAPI
import OwnerWords
import Platform
import SecretMemory
import Signer
import Sockets
import Vault

/// Shares with guardians, and those held here for others: `guardian/*`.
extension Operations {
  static let guardianHandlers: [OperationHandler] = [
    .init(GuardianAdd.self) { operations, request, _ in try operations.addGuardian(request) },
    .init(GuardianList.self) { operations, _, _ in try operations.listGuardians() },
    .init(GuardianRemove.self) { try $0.removeGuardian($1, $2) },
    .init(GuardianAccept.self) { try $0.acceptShare($1, $2) },
    .init(GuardianListen.self) { operations, request, _ in try operations.listenForShares(request) },
    .init(GuardianOpen.self) { try $0.openGuardianKey($1, $2) },
    .init(GuardianCode.self) { operations, request, _ in try operations.tellRequestCode(request) },
    .init(GuardianHeld.self) { operations, _, _ in try operations.listHeld() },
    .init(GuardianRequests.self) { operations, _, _ in try operations.listShareRequests() },
    .init(GuardianRelease.self) { try $0.releaseShare($1, $2) },
    .init(GuardianRefuse.self) { operations, request, _ in try operations.refuseShare(request) },
    .init(GuardianCancel.self) { operations, request, _ in try operations.cancelShareRequest(request) },
    .init(GuardianAsk.self) { operations, request, _ in try operations.askGuardian(request) },
    .init(GuardianAsked.self) { operations, _, _ in try operations.listAsked() },
    .init(GuardianShares.self) { try $0.receivedShares($1, $2) },
  ]

  /// Three days, in seconds.
  private static let usualDelay: Int64 = 72 * 3600

  private func addGuardian(_ request: GuardianAdd.Request) throws -> GuardianAdd.Response {
    let service = try guardianService()
    let guardian = try otherKey(request.npub)
    let share = try share(request)
    let delay = request.delay ?? Self.usualDelay
    guard GuardianMessage.delays.contains(delay) else {
      throw OperationError.usage("A waiting time must be one second to thirty days.")
    }
    let identity = try correspondent(request.identity)
    let note = EntrustedShare(
      side: .given, other: guardian, identity: identity.publicKey, kit: share.numbers.kit, group: share.numbers.groupIndex,
      member: share.numbers.memberIndex, delay: delay, at: Clock.seconds, relays: try relays(request.relays))
    let envelope = try services.guardians.add(note, share: share)
    service.send(envelope)
    var response = GuardianAdd.Response()
    response.guardian = summary(of: note)
    if case .keep(_, _, let code) = envelope.message { response.code = code?.text }
    return response
  }

  private func share(_ request: GuardianAdd.Request) throws -> Share {
    guard let words = request.share ?? request.shares else {
      throw OperationError.usage("The share for the guardian is missing.", hint: "Name its file with --share-file.")
    }
    let share: Share
    do throws(ShareTextError) { share = try words.withBytes { (text) throws(ShareTextError) in try Share(words: text) } } catch {
      throw OperationError(ShareError.share(1, error))
    }
    let kit = share.numbers.kit
    if let wanted = request.kit, wanted != kit {
      throw OperationError.failed("This share belongs to kit \(kit), not \(wanted).", hint: "Give a share of kit \(wanted).")
    }
    return share
  }

  private func listGuardians() throws -> GuardianList.Response {
    var response = GuardianList.Response()
    response.guardians = try services.guardians.guardians().map(summary)
    response.identities = correspondents()
    return response
  }

  /// Identities that envelopes may come for, and whether they are read now.
  private func correspondents() -> [Correspondent] {
    let all = home.identities.all
    let found = services.guardians.correspondents(all.map(\.publicKey))
    return all.filter { found[$0.publicKey] != nil }.map { identity in
      let left = running?.guardians?.keys.openUntil(identity.publicKey).map { ($0 - Clock.bootMilliseconds) / 1000 }
      var correspondent = Correspondent()
      (correspondent.identity, correspondent.seconds) = (identity.name, left)
      correspondent.state = reading(of: identity, isOpen: left != nil)
      correspondent.takesShares = services.guardians.isListening(identity.publicKey)
      return correspondent
    }
  }

  private func reading(of identity: Identity, isOpen: Bool) -> MessageReading {
    if running == nil { return .notRunning }
    if home.sessionLock.isLocked { return .locked }
    if isOpen { return .open }
    return identity.protection.needsPresence ? .needsOwner : .reads
  }

  private func summary(of note: EntrustedShare) -> GuardianSummary {
    var summary = GuardianSummary()
    (summary.id, summary.npub, summary.kit) = (note.name, note.other.npub, note.kit)
    (summary.share, summary.group) = (Int64(note.member + 1), Int64(note.group + 1))
    (summary.delay, summary.relays) = (note.delay, note.relays)
    (summary.sent, summary.since) = (note.at, note.confirmed)
    summary.identity = name(ofIdentity: note.identity)
    return summary
  }

  private func removeGuardian(_ request: EntrustedShareRequest, _ call: OperationCall) throws -> GuardianRemove.Response {
    // It destroys what somebody relies on, or keeps the owner from learning of a thief.
    try home.sessionLock.verify(call.proof())
    guard try services.guardians.remove(request.id, now: Clock.seconds) else {
      throw OperationError.notFound("There is no guardian and no kept share of that name.", hint: "See: holdfast guardian list")
    }
    running?.guardians?.refresh()
    var response = GuardianRemove.Response()
    response.removed = request.id
    return response
  }

  /// The person here agrees to keep a share that came without being asked for.
  private func acceptShare(_ request: EntrustedShareRequest, _ call: OperationCall) throws -> GuardianAccept.Response {
    try home.sessionLock.verify(call.proof())
    let service = try guardianService()
    guard let envelope = try services.guardians.accept(request.id) else {
      throw OperationError.notFound("No share of that name waits for your consent.", hint: "See: holdfast guardian held")
    }
    service.send(envelope)
    // Whoever asked for it meanwhile got no answer.
    service.readAgain()
    var response = GuardianAccept.Response()
    response.accepted = request.id
    return response
  }

  private func listenForShares(_ request: GuardianListen.Request) throws -> GuardianListen.Response {
    let isOn = request.state == .on
    let identity = isOn || request.identity != nil ? try identity(named: request.identity) : nil
    try services.guardians.setListening(isOn, identity?.publicKey, of: home.identities.all.map(\.publicKey))
    running?.guardians?.refresh()
    var response = GuardianListen.Response()
    response.identities = services.guardians.listeners(home.identities.all.map(\.publicKey)).map(name(ofIdentity:))
    response.isListening = !response.identities.isEmpty
    response.needsOwner = isOn && identity?.protection.needsPresence == true
    return response
  }

  /// The owner showed a credential: for a while, envelopes of an identity whose key needs presence are read and written.
  private func openGuardianKey(_ request: GuardianOpen.Request, _ call: OperationCall) throws -> GuardianOpen.Response {
    let service = try guardianService()
    let identity = try identity(named: request.identity)
    let seconds = request.seconds ?? Self.usualOpening
    guard Self.openings.contains(seconds) else {
      throw OperationError.usage("An identity can be opened for one second to one hour.")
    }
    guard let held = try presence(call, isNeededFor: [identity.protection]) else {
      throw OperationError.failed(
        "The messages of “\(identity.name)” are read without that.", hint: "See: holdfast guardian list")
    }
    let key = try home.identities.keyPair(for: identity.publicKey, by: held)
    service.open(identity.publicKey, key, seconds: seconds)
    var response = GuardianOpen.Response()
    (response.identity, response.seconds) = (identity.name, seconds)
    return response
  }

  private static let usualOpening: Int64 = 600
  private static let openings: ClosedRange<Int64> = 1...3600

  private func tellRequestCode(_ request: GuardianCode.Request) throws -> GuardianCode.Response {
    let service = try guardianService()
    let kit = request.kit.lowercased()
    guard let (code, envelopes) = try services.guardians.tellCode(kit, isNew: request.isNew) else {
      throw OperationError.notFound("No guardian has a share of kit “\(kit)”.", hint: "See: holdfast guardian list")
    }
    for envelope in envelopes { service.send(envelope) }
    var response = GuardianCode.Response()
    (response.kit, response.code, response.guardians) = (kit, code.text, Int64(envelopes.count))
    return response
  }

  private func listHeld() throws -> GuardianHeld.Response {
    let requests = try services.guardians.requests(.guardian)
    var response = GuardianHeld.Response()
    response.isListening = services.guardians.isListening
    response.held = try services.guardians.heldAndOffered().map { note in
      var held = HeldShare()
      (held.id, held.from, held.kit) = (note.name, note.other.npub, note.kit)
      (held.share, held.since, held.delay) = (Int64(note.member + 1), note.at, note.delay)
      (held.identity, held.isOffered) = (name(ofIdentity: note.identity), note.isOffered)
      held.requests = Int64(requests.count { $0.third == note.other && $0.kit == note.kit && $0.isOpen })
      return held
    }
    return response
  }

  private func releaseShare(_ request: GuardianRelease.Request, _ call: OperationCall) throws -> ShareRequestAnswer {
    let (service, id) = (try guardianService(), request.request.id)
    try mayAnswer(id)
    // What was sent cannot be taken back, and a program that can only reach this socket is not the person whom the owner trusts.
    try home.sessionLock.verify(call.proof())
    for envelope in try services.guardians.release(id, at: .now) { service.send(envelope) }
    service.look()
    return try shownRequest(id, .guardian)
  }

  private func refuseShare(_ request: ShareRequestChoice) throws -> ShareRequestAnswer {
    let service = try guardianService()
    try mayAnswer(request.id)
    for envelope in try services.guardians.refuse(request.id) { service.send(envelope) }
    return try shownRequest(request.id, .guardian)
  }

  /// Several guardians may have reported requests of this name. All whom an identity can write to now get the message.
  private func cancelShareRequest(_ request: ShareRequestChoice) throws -> ShareRequestAnswer {
    let service = try guardianService()
    let open = try services.guardians.requests(.owner).filter { $0.name == request.id && $0.isOpen }
    for envelope in try services.guardians.cancel(request.id, canWrite: service.keys.isUsable) { service.send(envelope) }
    if let closed = open.first(where: { !service.keys.isUsable($0.identity) }) {
      throw OperationError.guardianKeyClosed(name(ofIdentity: closed.identity))
    }
    return try shownRequest(request.id, .owner)
  }

  private func shownRequest(_ id: String, _ part: ShareRequest.Part) throws -> ShareRequestAnswer {
    var answer = ShareRequestAnswer()
    answer.request = try services.guardians.requests(part).first { $0.name == id }.map(summary)
    home.signerEvents.tell(.statusChanged)
    return answer
  }

  /// On the owner's new machine: asks a guardian for a share.
  private func askGuardian(_ asked: GuardianAsk.Request) throws -> ShareRequestSummary {
    let service = try guardianService()
    let guardian = try otherKey(asked.npub)
    let kit = asked.kit.lowercased()
    guard kit.utf8.count == 4, Hex.decode(kit) != nil else { throw OperationError.usage("A kit's number has four hex digits.") }
    let identity = try correspondent(asked.identity)
    let code = try asked.code.map { text in
      guard let code = RequestCode(text) else {
        throw OperationError.usage("A request code has sixteen letters and digits.", hint: "It is on your papers.")
      }
      return code
    }
    let (note, relays) = (GuardianMessage.clipped(asked.note ?? ""), try relays(asked.relays))
    let envelope = GuardianEnvelope(
      message: .ask(
        kit: kit, note: note, proof: code?.proof(kit: kit, guardian: guardian, asker: identity.publicKey)),
      from: identity.publicKey, to: guardian, relays: relays)
    guard let rumor = service.rumor(envelope) else { throw OperationError.unlockFirst }
    let request = ShareRequest(
      part: .asker, request: rumor.id, identity: identity.publicKey, other: guardian, third: nil, kit: kit, note: note,
      at: Clock.seconds, until: 0, state: .waiting, relays: relays, standing: code == nil ? .unknown : .code, sent: Clock.seconds)
    try services.guardians.asked(request)
    service.send(rumor, envelope) { _ in }
    return summary(of: request)
  }

  /// The received shares, for `recovery restore`. Enough of them are the key.
  private func receivedShares(_ request: GuardianShares.Request, _ call: OperationCall) throws -> GuardianShares.Response {
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    try home.sessionLock.verify(call.proof())
    let guardian = try request.npub.map { try otherKey($0) }
    var response = GuardianShares.Response()
    response.shares = try services.guardians.sharesReceived(kit: request.kit, from: guardian)
    return response
  }

  // MARK: help

  /// Refuses a guardian's decision if the people concerned cannot be told of it now.
  private func mayAnswer(_ id: String) throws {
    let request = try services.guardians.requests(.guardian).first { $0.name == id }
    guard let request, running?.guardians?.keys.isUsable(request.identity) == false else { return }
    throw OperationError.guardianKeyClosed(name(ofIdentity: request.identity))
  }

  /// An identity that can write envelopes now.
  private func correspondent(_ name: String?) throws -> Identity {
    let identity = try identity(named: name)
    guard running?.guardians?.keys.isUsable(identity.publicKey) ?? true else {
      throw OperationError.guardianKeyClosed(identity.name)
    }
    return identity
  }

  private func guardianService() throws -> GuardianService {
    guard let service = running?.guardians else { throw OperationError.needsDaemon }
    if home.sessionLock.isLocked { throw OperationError.unlockFirst }
    return service
  }

  private func otherKey(_ npub: String) throws -> PublicKey {
    guard let key = PublicKey(npubOrHex: npub) else {
      throw OperationError.usage("That is not a public key.", hint: "A public key begins with npub1.")
    }
    guard !home.has(key) else {
      throw OperationError.usage("That is your own key.", hint: "Give the public key of another person.")
    }
    return key
  }

  private func relays(_ relays: [String]) throws -> [String] {
    guard relays.count <= 8, relays.allSatisfy({ (try? WebSocketURL(parsing: $0)) != nil }) else {
      throw OperationError.usage("Relays must begin with ws:// or wss://, and there can be at most eight.")
    }
    return relays
  }
}
