internal import Curve
internal import Encodings
internal import Identities
internal import JSON
internal import Mnemonics
internal import Nostr
internal import OwnerAPI
internal import Platform
internal import SecretMemory
internal import Signer
internal import Sockets
internal import Vault

/// Shares with guardians, and those held here for others.
extension Operations {
  func guardianOperation(_ given: Parameters, _ operation: String) throws -> JSONValue {
    switch operation {
    case "guardian/add": return try addGuardian(given)
    case "guardian/list": return try listGuardians()
    case "guardian/remove": return try removeGuardian(given)
    case "guardian/accept": return try acceptShare(given)
    case "guardian/listen": return try listenForShares(given)
    case "guardian/open": return try openGuardianKey(given)
    case "guardian/code": return try tellRequestCode(given)
    case "guardian/held": return try listHeld()
    case "guardian/requests": return try listShareRequests()
    case "guardian/release": return try releaseShare(given)
    case "guardian/refuse":
      return try answerShareRequest(given) { name in try services.guardians.refuse(name) }
    case "guardian/cancel":
      return try answerShareRequest(given) { name in try services.guardians.cancel(name) }
    case "guardian/ask": return try askGuardian(given)
    case "guardian/asked": return try listAsked()
    default: throw OperationError.noSuchOperation
    }
  }

  /// Three days.
  private static let usualDelay: Int64 = 72 * 3600

  private func addGuardian(_ given: Parameters) throws -> JSONValue {
    let service = try guardianService()
    let guardian = try otherKey(given)
    guard let words = given.secret("share") ?? given.secret("shares") else {
      throw OperationError.usage("The share for the guardian is missing.", hint: "Name its file with --share-file.")
    }
    let share: Share
    do throws(ShareTextError) { share = try words.withBytes { (text) throws(ShareTextError) in try Share(words: text) } } catch {
      throw OperationError(ShareError.share(1, error))
    }
    let kit = share.numbers.kit
    if let wanted = try given.optionalText("kit"), wanted != kit {
      throw OperationError.failed("This share is of kit \(kit), not \(wanted).", hint: "Take one of the other kit.")
    }
    let delay = try given.optionalInteger("delay") ?? Self.usualDelay
    guard GuardianMessage.delays.contains(delay) else {
      throw OperationError.usage("A waiting time is one second to thirty days.")
    }
    let identity = try correspondent(given)
    let note = EntrustedShare(
      side: .given, other: guardian, identity: identity.publicKey, kit: kit, group: share.numbers.groupIndex,
      member: share.numbers.memberIndex, delay: delay, at: Clock.seconds, relays: try relays(given))
    let letter = try services.guardians.add(note, share: share)
    service.send(letter)
    guard case .keep(_, _, let code) = letter.message, let code else { return describe(note) }
    return .object((describe(note).members ?? []) + [.init("code", .string(code.text))])
  }

  private func listGuardians() throws -> JSONValue {
    let list = try services.guardians.guardians()
    return .object([
      .init("guardians", .array(list.map { describe($0) })), .init("identities", .array(correspondents())),
    ])
  }

  /// Identities that letters may come for, and whether they are read now.
  private func correspondents() -> [JSONValue] {
    let all = core.identities.all
    let found = services.guardians.correspondents(all.map(\.publicKey))
    return all.filter { found[$0.publicKey] != nil }.map { identity in
      let left = running?.guardians?.keys.openUntil(identity.publicKey).map { ($0 - Clock.bootMilliseconds) / 1000 }
      let state =
        if running == nil { "signer not running" } else if core.sessionLock.isLocked { "locked" } else if left != nil { "open" } else {
          identity.protection.needsPresence ? "needs you" : "reads"
        }
      return [
        "identity": .string(identity.name), "state": .string(state), "seconds": left.map { .integer($0) } ?? .null,
        "takes_shares": .bool(services.guardians.isListening(identity.publicKey)),
      ]
    }
  }

  private func describe(_ note: EntrustedShare) -> JSONValue {
    .object([
      .init("id", .string(note.name)), .init("npub", .string(note.other.npub)), .init("kit", .string(note.kit)),
      .init("share", .integer(Int64(note.member + 1))), .init("group", .integer(Int64(note.group + 1))),
      .init("delay", .integer(note.delay)), .init("relays", .array(note.relays.map { .string($0) })),
      .init("sent", .integer(note.at)), .init("since", note.confirmed.map { .integer($0) } ?? .null),
      .init("identity", .string(name(ofIdentity: note.identity))),
    ])
  }

  private func removeGuardian(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    // It destroys what somebody counts on, or keeps the owner from hearing of a thief.
    try core.sessionLock.verify(given.proof())
    guard try services.guardians.remove(id, now: Clock.seconds) else {
      throw OperationError.notFound("There is no guardian or held share of that name.", hint: "See: holdfast guardian list")
    }
    running?.guardians?.refresh()
    return .object([.init("removed", .string(id))])
  }

  /// The person here consents to keep a share that came unasked for.
  private func acceptShare(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    try core.sessionLock.verify(given.proof())
    let service = try guardianService()
    guard let letter = try services.guardians.accept(id) else {
      throw OperationError.notFound("No share of that name waits for your consent.", hint: "See: holdfast guardian held")
    }
    service.send(letter)
    // Who asked for it meanwhile met with silence.
    service.readAgain()
    return .object([.init("accepted", .string(id))])
  }

  private func listenForShares(_ given: Parameters) throws -> JSONValue {
    let wanted = try given.text("state")
    guard ["on", "off"].contains(wanted) else { throw OperationError.usage("Say on or off.") }
    let named = try given.optionalText("identity")
    let identity = wanted == "on" || named != nil ? try identity(named: named) : nil
    try services.guardians.setListening(wanted == "on", identity?.publicKey, of: core.identities.all.map(\.publicKey))
    running?.guardians?.refresh()
    let listening = services.guardians.listeners(core.identities.all.map(\.publicKey)).map {
      JSONValue.string(name(ofIdentity: $0))
    }
    return .object([
      .init("listening", .bool(!listening.isEmpty)), .init("identities", .array(listening)),
      .init("needs_you", .bool(wanted == "on" && identity?.protection.needsPresence == true)),
    ])
  }

  /// Letters of an identity whose key is never kept are read and written for a while: the owner showed who he is.
  private func openGuardianKey(_ given: Parameters) throws -> JSONValue {
    let service = try guardianService()
    let identity = try identity(named: given.optionalText("identity"))
    let seconds = try given.optionalInteger("seconds") ?? Self.usualOpening
    guard Self.openings.contains(seconds) else { throw OperationError.usage("An identity is opened for one second to one hour.") }
    guard let held = try presence(given, isNeededFor: [identity.protection]) else {
      throw OperationError.failed("The letters of “\(identity.name)” are read without that.", hint: "See: holdfast guardian list")
    }
    let key = try core.identities.keyPair(for: identity.publicKey, by: held)
    service.open(identity.publicKey, key, seconds: seconds)
    return .object([.init("identity", .string(identity.name)), .init("seconds", .integer(seconds))])
  }

  private static let usualOpening: Int64 = 600
  private static let openings: ClosedRange<Int64> = 1...3600

  private func tellRequestCode(_ given: Parameters) throws -> JSONValue {
    let service = try guardianService()
    let kit = try given.text("kit").lowercased()
    guard let (code, letters) = try services.guardians.tellCode(kit, isNew: given["new"]?.bool == true) else {
      throw OperationError.notFound("No guardian has a share of kit “\(kit)”.", hint: "See: holdfast guardian list")
    }
    for letter in letters { service.send(letter) }
    return .object([
      .init("kit", .string(kit)), .init("code", .string(code.text)), .init("guardians", .integer(Int64(letters.count))),
    ])
  }

  private func listHeld() throws -> JSONValue {
    let (list, requests) = (try services.guardians.heldAndOffered(), try services.guardians.requests(.guardian))
    let held = list.map { note in
      JSONValue.object([
        .init("id", .string(note.name)), .init("from", .string(note.other.npub)), .init("kit", .string(note.kit)),
        .init("share", .integer(Int64(note.member + 1))), .init("since", .integer(note.at)),
        .init("delay", .integer(note.delay)), .init("identity", .string(name(ofIdentity: note.identity))),
        .init("offered", .bool(note.isOffered)),
        .init(
          "requests", .integer(Int64(requests.count { $0.third == note.other && $0.kit == note.kit && $0.isOpen }))),
      ])
    }
    return .object([.init("held", .array(held)), .init("listening", .bool(services.guardians.isListening))])
  }

  /// Those the person here has to answer: for shares kept here, and for his own.
  private func listShareRequests() throws -> JSONValue {
    let list = try services.guardians.requests()
    return .object([
      .init("requests", .array(list.filter { $0.part != .asker && $0.isOpen }.sorted(by: isBefore).map { describe($0) }))
    ])
  }

  /// Who showed the most first, then who has waited longest.
  private func isBefore(_ one: ShareRequest, _ other: ShareRequest) -> Bool {
    let order: [ShareRequest.Standing] = [.owner, .code, .unknown]
    let (first, second) = (order.firstIndex(of: one.standing) ?? 0, order.firstIndex(of: other.standing) ?? 0)
    return (first, one.at, one.name) < (second, other.at, other.name)
  }

  private func listAsked() throws -> JSONValue {
    let list = try services.guardians.requests()
    return .object([.init("asked", .array(list.filter { $0.part == .asker }.map { describe($0) }))])
  }

  private func describe(_ request: ShareRequest) -> JSONValue {
    .object([
      .init("id", .string(request.name)), .init("kit", .string(request.kit)), .init("mine", .bool(request.part == .owner)),
      .init("from", .string(request.asker.npub)),
      .init("guardian", request.part == .guardian ? .null : .string(request.other.npub)),
      .init("owner", request.part == .guardian ? request.third.map { .string($0.npub) } ?? .null : .null),
      .init("note", .string(request.note)), .init("code", .string(Self.code(request.request))), .init("at", .integer(request.at)),
      .init("due", due(request).map { .integer($0) } ?? .null),
      // One that is on its way was allowed, as far as people can tell.
      .init("state", .string((request.isAllowed ? .approved : request.state).rawValue)),
      .init("shares", .integer(Int64(request.shares))), .init("shown", .string(request.standing.rawValue)),
      .init("sent", .integer(request.sent)),
      .init("needs_you", .bool(request.isAllowed && running?.guardians?.keys.isUsable(request.identity) == false)),
    ])
  }

  /// When it is likely to be given, seconds since 1970. What is kept here waits by a clock that nobody sets.
  private func due(_ request: ShareRequest) -> Int64? {
    var time = request.until
    if request.part == .guardian, request.isOpen { time = (try? services.guardians.expectedEnd(of: request, at: .now)) ?? time }
    return time > 0 ? time : nil
  }

  /// Six digits that both ends see: on the telephone they show that the caller is who asked.
  private static func code(_ request: Bytes32) -> String {
    let number = request.array.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  private func releaseShare(_ given: Parameters) throws -> JSONValue {
    let service = try guardianService()
    try mayAnswer(given)
    // What leaves cannot be called back, and a program that only talks to this socket is not the person the owner trusts.
    try core.sessionLock.verify(given.proof())
    for letter in try services.guardians.release(given.text("id"), at: .now) { service.send(letter) }
    service.look()
    return try shownRequest(given)
  }

  private func answerShareRequest(
    _ given: Parameters, _ answer: (String) throws -> [GuardianEnvelope]
  ) throws -> JSONValue {
    let service = try guardianService()
    try mayAnswer(given)
    for letter in try answer(given.text("id")) { service.send(letter) }
    return try shownRequest(given)
  }

  private func shownRequest(_ given: Parameters) throws -> JSONValue {
    let id = try given.text("id")
    let found = try services.guardians.requests().first { $0.name == id }
    core.signerEvents.tell(.statusChanged)
    return found.map { describe($0) } ?? .object([])
  }

  /// On the owner's new machine: asks a guardian for what he keeps.
  private func askGuardian(_ given: Parameters) throws -> JSONValue {
    let service = try guardianService()
    let guardian = try otherKey(given)
    let kit = try given.text("kit").lowercased()
    guard kit.utf8.count == 4, Hex.decode(kit) != nil else { throw OperationError.usage("A kit's number is four hex digits.") }
    let identity = try correspondent(given)
    let code = try given.optionalText("code").map { text in
      guard let code = RequestCode(text) else {
        throw OperationError.usage("A request code is sixteen letters and digits.", hint: "It stands with your papers.")
      }
      return code
    }
    let note = GuardianMessage.clipped(try given.optionalText("note") ?? "")
    let relays = try relays(given)
    let letter = GuardianEnvelope(
      message: .ask(
        kit: kit, note: note, proof: code?.proof(kit: kit, guardian: guardian, asker: identity.publicKey)),
      from: identity.publicKey, to: guardian, relays: relays)
    guard let rumor = service.rumor(letter) else { throw OperationError.unlockFirst }
    let request = ShareRequest(
      part: .asker, request: rumor.id, identity: identity.publicKey, other: guardian, third: nil, kit: kit, note: note,
      at: Clock.seconds, until: 0, state: .waiting, relays: relays, standing: code == nil ? .unknown : .code, sent: Clock.seconds)
    try services.guardians.asked(request)
    service.send(rumor, letter) { _ in }
    return describe(request)
  }

  /// The shares that came back, for `recovery restore`: enough of them are the key.
  func receivedShares(_ given: Parameters) throws -> ControlResult {
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    try core.sessionLock.verify(given.proof())
    let kit = try given.optionalText("kit")
    let guardian = try given.optionalText("npub") == nil ? nil : try otherKey(given)
    let shares = try services.guardians.sharesReceived(kit: kit, from: guardian)
    return ControlResult(["shares": []], secrets: ["shares": .list(shares)])
  }

  // MARK: help

  /// Nothing is decided that could not be written to whom it concerns.
  private func mayAnswer(_ given: Parameters) throws {
    let id = try given.text("id")
    let request = try services.guardians.requests().first { $0.name == id }
    guard let request, running?.guardians?.keys.isUsable(request.identity) == false else { return }
    throw OperationError.guardianKeyClosed(name(ofIdentity: request.identity))
  }

  /// An identity that can write now.
  private func correspondent(_ given: Parameters) throws -> Identity {
    let identity = try identity(named: given.optionalText("identity"))
    guard running?.guardians?.keys.isUsable(identity.publicKey) ?? true else {
      throw OperationError.guardianKeyClosed(identity.name)
    }
    return identity
  }

  private func guardianService() throws -> GuardianService {
    guard let service = running?.guardians else { throw OperationError.needsDaemon }
    if core.sessionLock.isLocked { throw OperationError.unlockFirst }
    return service
  }

  private func otherKey(_ given: Parameters) throws -> PublicKey {
    guard let key = PublicKey(npubOrHex: try given.text("npub")) else {
      throw OperationError.usage("That is no public key.", hint: "It begins with npub1.")
    }
    guard !core.has(key) else { throw OperationError.usage("That is your own key.", hint: "A guardian is somebody else.") }
    return key
  }

  private func relays(_ given: Parameters) throws -> [String] {
    let relays = try given.texts("relays")
    guard relays.count <= 8, relays.allSatisfy({ (try? WebSocketURL(parsing: $0)) != nil }) else {
      throw OperationError.usage("A relay is an address that begins with ws:// or wss://; at most eight.")
    }
    return relays
  }
}

extension OperationError {
  static func guardianKeyClosed(_ name: String) -> OperationError {
    failed("The key of “\(name)” wants you each time.", hint: "First: holdfast guardian open --identity \(name)")
  }
  static let noSuchShareRequest = notFound("There is no such request for a share.", hint: "See: holdfast guardian requests")
}
