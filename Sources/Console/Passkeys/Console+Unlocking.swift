import Encodings
import JSON
import OwnerAPI
import Platform

// A passkey unlocks by the output of its PRF (WebAuthn level 3, section 10.1.4), which the browser computes together with the
// signature. Two independent checks must succeed: the signature over our challenge, with user verification, and opening the
// vault's slot with the output. The output arrives as a secret and is passed on as one; this module does not read it.

/// Unlocking, and proving that it is the owner, with a passkey.
extension Console {
  /// The member that names the passkey. From a browser it is the whole signed answer.
  static let credential = "credential"
  /// The member that names the passkey a slot is made for.
  static let newPasskey = "passkey"
  /// The member by which the owner accepts that keys are lost.
  static let acceptedLoss = "accept_loss"
  /// The secret: the PRF output for the slot's salt.
  static let prf = "prf"

  /// Handles calls about passkeys that unlock.
  /// - Returns: false for any other call.
  func answerUnlocking(_ call: Call, _ session: ConsoleSession, _ answer: @escaping @Sendable (CallReply) -> Void) -> Bool {
    switch call.operation {
    case "slot/unlock-options": return onWorker(call, answer) { [self] _ in unlockOptions(call, session) }
    case "slot/passkey-options", "slot/passkey-add":
      guard isProvenRecently(session) else {
        answer(.wantsProof)
        return true
      }
      if call.operation == "slot/passkey-options" { return onWorker(call, answer) { [self] in enrolOptions(call, session, $0) } }
      return withRequest(call, answer) { [self] in enrol(call, session, $0, answer) }
    default: return false
    }
  }

  /// The slots whose passkeys a browser at this address can use.
  func usableSlots(at origin: ConsoleOrigin) -> [PasskeySlot] {
    let known = state.withLock { Set($0.passkeys.at(origin).map(\.credentialID)) }
    return hooks.passkeySlots().filter { $0.party == origin.host && known.contains($0.credentialID) }
  }

  // MARK: proving

  private func unlockOptions(_ call: Call, _ session: ConsoleSession) -> CallReply {
    guard call.origin.canHavePasskeys else { return .noPasskeysHere }
    let slots = usableSlots(at: call.origin)
    let listed = slots.map { slot -> JSONValue in
      ["id": .integer(Int64(slot.id)), "label": .string(slot.label), "credential": .string(Base64URL.string(slot.credentialID))]
    }
    guard !slots.isEmpty else { return .done(["publicKey": .null, "slots": []]) }
    let now = hooks.now()
    let given = state.withLock { $0.passkeys.challenges.make(for: .prove(session: session.id), at: call.origin, now: now) }
    let salts = slots.map { ($0.credentialID, [$0.salt, given.salt]) }
    return .done([
      "publicKey": request(given, at: call.origin, for: Dictionary(salts) { first, _ in first }), "slots": .array(listed),
    ])
  }

  /// Performs an operation that carries a passkey's answer. The answer must be valid; the passkey's name alone is not enough.
  func performProven(
    _ request: ControlRequest, _ call: Call, _ session: ConsoleSession, _ answer: @escaping @Sendable (CallReply) -> Void
  ) {
    let isTaken = hooks.work { [self] in
      do throws(PasskeyError) {
        let used = try checkedPasskey(
          request.parameters[Self.credential], for: .prove(session: session.id), at: call.origin, hooks.now())
        perform(request.operation == "unlock" ? unlocking(request, by: used) : proven(request, by: used), in: session) {
          response in
          answer(CallReply(200, response))
        }
      } catch {
        answer(.refused(error, status: 200))
      }
    }
    if !isTaken { answer(.busy) }
  }

  typealias Used = (passkey: Passkey, given: PasskeyChallenges.Given)

  /// The operation with the passkey's name instead of its answer.
  private func proven(_ request: ControlRequest, by used: Used, _ more: [JSONValue.Member] = []) -> ControlRequest {
    let others = (request.parameters.members ?? []).filter { $0.key != Self.credential && $0.key != "next_salt" }
    let name = JSONValue.Member(Self.credential, .string(Base64URL.string(used.passkey.credentialID)))
    return ControlRequest(request.operation, .object(others + [name] + more), secrets: request.secrets)
  }

  /// The `unlock` operation. If there is a second output, its salt is included, and that output opens the slot from then on.
  func unlocking(_ request: ControlRequest, by used: Used) -> ControlRequest {
    let secrets = request.secrets.filter { $0.key == Self.prf || $0.key == "prf_next" }
    let next = JSONValue.Member("next_salt", .string(Base64URL.string(used.given.salt)))
    return proven(ControlRequest("unlock", [:], secrets: secrets), by: used, secrets["prf_next"] == nil ? [] : [next])
  }

  // MARK: enrolling

  private func enrolOptions(_ call: Call, _ session: ConsoleSession, _ parameters: JSONValue) -> CallReply {
    guard call.origin.canHavePasskeys else { return .noPasskeysHere }
    guard let id = parameters[Self.newPasskey]?.string else { return .malformed("“passkey” is missing") }
    guard let passkey = state.withLock({ $0.passkeys.at(call.origin).first { $0.listID == id } }) else {
      return .refused(200, exit: 5, "There is no such passkey.")
    }
    guard !usableSlots(at: call.origin).contains(where: { $0.credentialID == passkey.credentialID }) else {
      return .refused(200, exit: 1, "This passkey already unlocks the keys.")
    }
    let now = hooks.now()
    let given = state.withLock { $0.passkeys.challenges.make(for: .enrol(session: session.id), at: call.origin, now: now) }
    return .done(["publicKey": request(given, at: call.origin, for: [passkey.credentialID: [given.salt]])])
  }

  /// Called on a worker. The vault makes the slot and checks the owner's credential.
  private func enrol(
    _ call: Call, _ session: ConsoleSession, _ given: ControlRequest, _ answer: @escaping @Sendable (CallReply) -> Void
  ) {
    let now = hooks.now()
    do throws(PasskeyError) {
      let used = try checkedPasskey(given.parameters[Self.newPasskey], for: .enrol(session: session.id), at: call.origin, now)
      var members: [JSONValue.Member] = [
        .init(Self.newPasskey, .string(Base64URL.string(used.passkey.credentialID))), .init("party", .string(call.origin.host)),
        .init("salt", .string(Base64URL.string(used.given.salt))),
        .init("label", .string(given.parameters["label"]?.string.flatMap { Passkey.shownName($0) } ?? used.passkey.name)),
      ]
      if let isAccepted = given.parameters[Self.acceptedLoss] { members.append(.init(Self.acceptedLoss, isAccepted)) }
      if let other = given.parameters[Self.credential] {
        let proof = try checkedPasskey(other, for: .prove(session: session.id), at: call.origin, now)
        members.append(.init(Self.credential, .string(Base64URL.string(proof.passkey.credentialID))))
      }
      hooks.perform(ControlRequest(given.operation, .object(members), secrets: given.secrets)) { response in
        answer(CallReply(200, response))
      }
    } catch {
      answer(.refused(error, status: 200))
    }
  }
}
