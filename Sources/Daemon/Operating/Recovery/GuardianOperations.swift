internal import Curve
internal import Encodings
internal import JSON
internal import LocalAccess
internal import Mnemonics
internal import Nostr
internal import SecretMemory
internal import Sockets
internal import Vault

/// Shares with guardians, and those held here for others.
extension Operations {
  func guardianOperation(_ given: Parameters, _ operation: String) throws(OperationFailure) -> JSONValue {
    switch operation {
    case "guardian/add": return try addGuardian(given)
    case "guardian/list": return try listGuardians()
    case "guardian/remove": return try removeGuardian(given)
    case "guardian/listen": return try listenForShares(given)
    case "guardian/held": return try listHeld()
    case "guardian/requests": return try listShareRequests()
    case "guardian/release": return try releaseShare(given)
    case "guardian/refuse":
      return try answerShareRequest(given) { name throws(OperationFailure) in try core.guardians.refuse(name) }
    case "guardian/cancel":
      return try answerShareRequest(given) { name throws(OperationFailure) in try core.guardians.cancel(name) }
    case "guardian/ask": return try askGuardian(given)
    case "guardian/asked": return try listAsked()
    default: throw .noSuchOperation
    }
  }

  /// Three days.
  private static let usualDelay: Int64 = 72 * 3600

  private func addGuardian(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let service = try guardianService()
    let guardian = try otherKey(given)
    guard let words = given.secret("share") ?? given.secret("shares") else {
      throw .usage("The share for the guardian is missing.", hint: "Name its file with --share-file.")
    }
    let share: Share
    do throws(ShareFault) { share = try words.withBytes { (text) throws(ShareFault) in try Share(words: text) } } catch {
      throw OperationFailure(ShareError.share(1, error))
    }
    let kit = share.numbers.kit
    if let wanted = try given.optionalText("kit"), wanted != kit {
      throw .failed("This share is of kit \(kit), not \(wanted).", hint: "Take one of the other kit.")
    }
    let delay = try given.optionalInteger("delay") ?? Self.usualDelay
    guard GuardianMessage.delays.contains(delay) else { throw .usage("A waiting time is one second to thirty days.") }
    let note = GuardianNote(
      guardian: guardian, identity: try identity(named: given.optionalText("identity")).publicKey, kit: kit,
      group: share.numbers.groupIndex, member: share.numbers.memberIndex, delay: delay, relays: try relays(given),
      sent: Clock.seconds, kept: nil)
    let letter = try vaultStep { try core.guardians.add(note, share: share) }
    service.send(letter)
    return describe(note)
  }

  private func listGuardians() throws(OperationFailure) -> JSONValue {
    let list = try vaultStep { try core.guardians.guardians() }
    return .object([.init("guardians", .array(list.map { describe($0) }))])
  }

  private func describe(_ note: GuardianNote) -> JSONValue {
    .object([
      .init("id", .string(note.name)), .init("npub", .string(note.guardian.npub)), .init("kit", .string(note.kit)),
      .init("share", .integer(Int64(note.member + 1))), .init("group", .integer(Int64(note.group + 1))),
      .init("delay", .integer(note.delay)), .init("relays", .array(note.relays.map { .string($0) })),
      .init("sent", .integer(note.sent)), .init("since", note.kept.map { .integer($0) } ?? .null),
      .init("identity", .string(name(ofIdentity: note.identity))),
    ])
  }

  private func removeGuardian(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let id = try given.text("id")
    guard try vaultStep({ try core.guardians.remove(id) }) else {
      throw .notFound("There is no guardian or held share of that name.", hint: "See: holdfast guardian list")
    }
    running?.guardians?.refresh()
    return .object([.init("removed", .string(id))])
  }

  private func listenForShares(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let wanted = try given.text("state")
    guard ["on", "off"].contains(wanted) else { throw .usage("Say on or off.") }
    try vaultStep { try core.guardians.setListening(wanted == "on") }
    running?.guardians?.refresh()
    return .object([.init("listening", .bool(wanted == "on"))])
  }

  private func listHeld() throws(OperationFailure) -> JSONValue {
    let (list, requests) = try vaultStep { (try core.guardians.held(), try core.guardians.requests(.guardian)) }
    let held = list.map { note in
      JSONValue.object([
        .init("id", .string(note.name)), .init("from", .string(note.owner.npub)), .init("kit", .string(note.kit)),
        .init("share", .integer(Int64(note.member + 1))), .init("since", .integer(note.since)),
        .init("delay", .integer(note.delay)), .init("identity", .string(name(ofIdentity: note.identity))),
        .init(
          "requests", .integer(Int64(requests.count { $0.third == note.owner && $0.kit == note.kit && $0.isOpen }))),
      ])
    }
    return .object([.init("held", .array(held)), .init("listening", .bool(core.guardians.isListening))])
  }

  /// Those the person here has to answer: for shares kept here, and for his own.
  private func listShareRequests() throws(OperationFailure) -> JSONValue {
    let list = try vaultStep { try core.guardians.requests() }
    return .object([.init("requests", .array(list.filter { $0.part != .asker && $0.isOpen }.map { describe($0) }))])
  }

  private func listAsked() throws(OperationFailure) -> JSONValue {
    let list = try vaultStep { try core.guardians.requests() }
    return .object([.init("asked", .array(list.filter { $0.part == .asker }.map { describe($0) }))])
  }

  private func describe(_ request: ShareRequest) -> JSONValue {
    .object([
      .init("id", .string(request.name)), .init("kit", .string(request.kit)), .init("mine", .bool(request.part == .owner)),
      .init("from", .string((request.part == .owner ? request.third ?? request.other : request.other).npub)),
      .init("guardian", request.part == .guardian ? .null : .string(request.other.npub)),
      .init("owner", request.part == .guardian ? request.third.map { .string($0.npub) } ?? .null : .null),
      .init("note", .string(request.note)), .init("code", .string(Self.code(request.request))), .init("at", .integer(request.at)),
      .init("due", request.until > 0 ? .integer(request.until) : .null), .init("state", .string(request.state.rawValue)),
      .init("shares", .integer(Int64(request.shares))),
    ])
  }

  /// Six digits that both ends see: on the telephone they show that the caller is who asked.
  private static func code(_ request: Bytes32) -> String {
    let number = request.array.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  private func releaseShare(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let service = try guardianService()
    try core.guardians.release(given.text("id"))
    service.look()
    return try shownRequest(given)
  }

  private func answerShareRequest(
    _ given: Parameters, _ answer: (String) throws(OperationFailure) -> [GuardianLetter]
  ) throws(OperationFailure) -> JSONValue {
    let service = try guardianService()
    for letter in try answer(given.text("id")) { service.send(letter) }
    return try shownRequest(given)
  }

  private func shownRequest(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let id = try given.text("id")
    let found = try vaultStep { try core.guardians.requests() }.first { $0.name == id }
    core.happenings.tell(.statusChanged)
    return found.map { describe($0) } ?? .object([])
  }

  /// On the owner's new machine: asks a guardian for what he keeps.
  private func askGuardian(_ given: Parameters) throws(OperationFailure) -> JSONValue {
    let service = try guardianService()
    let guardian = try otherKey(given)
    let kit = try given.text("kit").lowercased()
    guard kit.utf8.count == 4, Hex.decode(kit) != nil else { throw .usage("A kit's number is four hex digits.") }
    let identity = try identity(named: given.optionalText("identity"))
    let note = GuardianMessage.clipped(try given.optionalText("note") ?? "")
    let relays = try relays(given)
    let letter = GuardianLetter(
      message: .ask(kit: kit, note: note), from: identity.publicKey, to: guardian, relays: relays)
    guard let rumor = service.rumor(letter) else { throw .unlockFirst }
    let request = ShareRequest(
      part: .asker, request: rumor.id, identity: identity.publicKey, other: guardian, third: nil, kit: kit, note: note,
      at: Clock.seconds, until: 0, state: .waiting, relays: relays)
    try vaultStep { try core.guardians.asked(request) }
    service.send(rumor, letter) { _ in }
    return describe(request)
  }

  /// The shares that came back, for `recovery restore`.
  func receivedShares(_ given: Parameters) throws(OperationFailure) -> ControlResult {
    if core.gate.isLocked { throw .unlockFirst }
    let kit = try given.optionalText("kit")
    let shares = try vaultStep { try core.guardians.sharesReceived(kit: kit) }
    return ControlResult(["shares": []], secrets: ["shares": .list(shares)])
  }

  // MARK: help

  private func guardianService() throws(OperationFailure) -> GuardianService {
    guard let service = running?.guardians else { throw .needsDaemon }
    if core.gate.isLocked { throw .unlockFirst }
    return service
  }

  private func otherKey(_ given: Parameters) throws(OperationFailure) -> PublicKey {
    guard let key = PublicKey(npubOrHex: try given.text("npub")) else {
      throw .usage("That is no public key.", hint: "It begins with npub1.")
    }
    guard !core.has(key) else { throw .usage("That is your own key.", hint: "A guardian is somebody else.") }
    return key
  }

  private func relays(_ given: Parameters) throws(OperationFailure) -> [String] {
    let relays = try given.texts("relays")
    guard relays.count <= 8, relays.allSatisfy({ (try? WebSocketURL(parsing: $0)) != nil }) else {
      throw .usage("A relay is an address that begins with ws:// or wss://; at most eight.")
    }
    return relays
  }
}

extension OperationFailure {
  static let noSuchShareRequest = notFound("There is no such request for a share.", hint: "See: holdfast guardian requests")
}
