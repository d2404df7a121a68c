import Encodings
import JSON
import OwnerAPI
import Platform

/// Signing in with a passkey, and managing passkeys (WebAuthn level 3, sections 7.1 and 7.2).
extension Console {
  // MARK: signing in

  /// Called on a worker. A browser that unlocked with a passkey before names it, and is told how to sign in and unlock with one
  /// touch.
  func passkeyChallenge(_ call: Call, _ parameters: JSONValue) -> CallReply {
    let now = hooks.now()
    guard call.origin.canHavePasskeys else { return .noPasskeysHere }
    let given = state.withLock { $0.passkeys.challenges.make(for: .signIn, at: call.origin, now: now) }
    // No list of credentials is sent. The browser knows which ones it has, and a stranger learns nothing.
    let slot = parameters["credential"]?.string.flatMap { Base64URL.decode($0) }.flatMap { named in
      usableSlots(at: call.origin).first { $0.credentialID == named }
    }
    return .done([
      "publicKey": request(given, at: call.origin, for: slot.map { [$0.credentialID: [$0.salt, given.salt]] } ?? [:])
    ])
  }

  /// Called on a worker.
  /// - Parameter given: contains the passkey's secrets when the same touch is to unlock the keys.
  func signInByPasskey(_ call: Call, _ given: ControlRequest, _ answer: @escaping @Sendable (CallReply) -> Void) {
    let now = hooks.now()
    do throws(PasskeyError) {
      let used = try checkedPasskey(given.parameters["credential"], for: .signIn, at: call.origin, now)
      let reply = signIn(call, by: .passkey, passkey: used.passkey.listID, now)
      try stillHave(used.passkey)
      guard given.secrets[Self.prf] != nil else { return answer(reply) }
      hooks.perform(unlocking(given, by: used)) { outcome in answer(reply.saying(outcome)) }
    } catch {
      answer(signInFailed(call, now) ? .refused(error, status: 401) : .tooMany)
    }
  }

  /// A passkey that was removed during its sign-in does not sign in, and its last record is not written again.
  private func stillHave(_ passkey: Passkey) throws(PasskeyError) {
    if state.withLock({ $0.passkeys.has(passkey.credentialID) }) { return }
    ended(state.withLock { $0.sessions.endAll(by: passkey.listID, except: nil) }, .revoked)
    _ = hooks.passkeys.remove(passkey.credentialID)
    throw .unknownPasskey
  }

  /// The passkey whose signature is valid for this purpose, with its use counted, and what was issued with the challenge.
  func checkedPasskey(
    _ credential: JSONValue?, for purpose: PasskeyChallenges.Purpose, at origin: ConsoleOrigin, _ now: ConsoleTime
  ) throws(PasskeyError) -> (passkey: Passkey, given: PasskeyChallenges.Given) {
    do throws(PasskeyError) {
      let signed = try SignedChallenge(credential)
      let clientData = try ClientData(signed.clientData, for: .get, at: origin)
      let (given, passkey) = try state.withLock { (state) throws(PasskeyError) in
        (
          try state.passkeys.challenges.spend(clientData.challenge, for: purpose, at: origin, now: now),
          try state.passkeys.find(signed, at: origin, isNamed: purpose != .signIn)
        )
      }
      try signed.data.check(party: passkey.party)
      guard signed.isSigned(by: passkey.key) else { throw .signatureWrong }
      let used = try state.withLock { (state) throws(PasskeyError) in
        try state.passkeys.challenges.answer(given, for: purpose, now: now)
        return try state.passkeys.used(passkey, count: signed.data.count, now: now.wall)
      }
      // The signature is valid. If the new count cannot be stored, an older count is accepted later, which does not justify a
      // refusal now.
      _ = hooks.passkeys.put(used.credentialID, used.record)
      guard state.withLock({ $0.passkeys.has(used.credentialID) }) else {
        _ = hooks.passkeys.remove(used.credentialID)
        throw .unknownPasskey
      }
      return (used, given)
    } catch {
      if error == .counterWentBack { hooks.record(.passkeyMayBeCopied) }
      throw error
    }
  }

  /// The options for `navigator.credentials.get`.
  /// - Parameter salts: one or two PRF inputs for each passkey that may answer. If empty, any passkey may answer, without PRF.
  func request(_ given: PasskeyChallenges.Given, at origin: ConsoleOrigin, for salts: [[UInt8]: [[UInt8]]]) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("challenge", .string(Base64URL.string(given.challenge))), .init("rpId", .string(origin.host)),
      .init("userVerification", "required"), .init("timeout", .integer(PasskeyChallenges.lifeMilliseconds)),
    ]
    let inputs = salts.map { id, salts -> JSONValue.Member in
      let named = zip(["first", "second"], salts).map { JSONValue.Member($0, .string(Base64URL.string($1))) }
      return .init(Base64URL.string(id), .object(named))
    }
    let allowed = inputs.map { input -> JSONValue in ["type": "public-key", "id": .string(input.key)] }
    members.append(.init("allowCredentials", .array(allowed)))
    if !inputs.isEmpty { members.append(.init("extensions", ["prf": ["evalByCredential": .object(inputs)]])) }
    return .object(members)
  }

  // MARK: adding

  func beginPasskey(_ call: Call, _ session: ConsoleSession) -> CallReply {
    let now = hooks.now()
    guard call.origin.canHavePasskeys else { return .noPasskeysHere }
    guard isProvenRecently(session) else { return .wantsProof }
    if hooks.isLocked() { return .noPasskeysWhileLocked }
    let (given, user, known) = state.withLock { state in
      (
        state.passkeys.challenges.make(for: .add(session: session.id), at: call.origin, now: now), state.passkeys.userHandle(),
        state.passkeys.at(call.origin)
      )
    }
    state.withLock { $0.userHandles[session.id] = user }
    let excluded = known.map { passkey -> JSONValue in
      ["type": "public-key", "id": .string(Base64URL.string(passkey.credentialID))]
    }
    return .done([
      "publicKey": [
        "challenge": .string(Base64URL.string(given.challenge)),
        "rp": ["id": .string(call.origin.host), "name": "Holdfast"],
        "user": ["id": .string(Base64URL.string(user)), "name": "Holdfast", "displayName": "Holdfast console"],
        "pubKeyCredParams": [["type": "public-key", "alg": -7]], "excludeCredentials": .array(excluded),
        "authenticatorSelection": [
          "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
        ], "attestation": "none", "timeout": .integer(PasskeyChallenges.lifeMilliseconds),
        // Some devices offer the PRF only for passkeys that were made with a PRF input.
        "extensions": ["prf": ["eval": ["first": .string(Base64URL.string(given.salt))]]],
      ]
    ])
  }

  /// Called on a worker.
  func addPasskey(_ call: Call, _ session: ConsoleSession, _ parameters: JSONValue) -> CallReply {
    guard let name = Passkey.shownName(parameters["name"]?.string ?? "") else {
      return .refused(200, exit: 2, "Give the passkey a name, such as the device's.")
    }
    guard !hooks.isLocked() else { return .noPasskeysWhileLocked }
    let now = hooks.now()
    do throws(PasskeyError) {
      let new = try NewCredential(parameters["credential"])
      let clientData = try ClientData(new.clientData, for: .create, at: call.origin)
      let user = try state.withLock { (state) throws(PasskeyError) in
        try state.passkeys.challenges.spend(clientData.challenge, for: .add(session: session.id), at: call.origin, now: now)
        guard let user = state.userHandles.removeValue(forKey: session.id) else { throw .challengeUnknown }
        return user
      }
      try new.data.check(party: call.origin.host)
      let passkey = Passkey(
        credentialID: new.credential.id, key: new.credential.key, party: call.origin.host, userHandle: user, name: name,
        made: now.wall, lastUsed: nil, count: new.data.count)
      try store(passkey)
      hooks.record(.passkeyAdded)
      return .done(describe(passkey))
    } catch {
      return .refused(error, status: 200)
    }
  }

  private func store(_ passkey: Passkey) throws(PasskeyError) {
    try state.withLock { (state) throws(PasskeyError) in try state.passkeys.mayAdd(passkey) }
    guard hooks.passkeys.put(passkey.credentialID, passkey.record) else { throw .notStored }
    state.withLock { $0.passkeys.add(passkey) }
  }

  // MARK: listing and removing

  /// Called on a worker.
  func listPasskeys() -> CallReply {
    let slots = hooks.passkeySlots()
    return .done(["passkeys": .array(state.withLock { $0.passkeys.all }.map { describe($0, slots) })])
  }

  func removePasskey(_ parameters: JSONValue, keeping session: String? = nil) -> CallReply {
    guard let id = parameters["id"]?.string else { return .malformed("“id” is missing") }
    // Otherwise its slot could no longer be opened, and nobody would know why.
    let credentialID = state.withLock { $0.passkeys.all.first { $0.listID == id }?.credentialID }
    guard !hooks.passkeySlots().contains(where: { $0.credentialID == credentialID }) else {
      return .refused(200, exit: 1, "This passkey also unlocks the keys.", hint: "Remove it from the ways to unlock first.")
    }
    // Remove it from memory first: a sign-in in progress with this passkey checks there last.
    guard let passkey = state.withLock({ $0.passkeys.remove(id) }) else {
      return .refused(200, exit: 5, "There is no such passkey any more.")
    }
    guard hooks.passkeys.remove(passkey.credentialID) else {
      state.withLock { $0.passkeys.add(passkey) }
      return .refused(.notStored, status: 200)
    }
    hooks.record(.passkeyRemoved)
    ended(state.withLock { $0.sessions.endAll(by: id, except: session) }, .revoked)
    return .done(["removed": .string(id)])
  }

  private func describe(_ passkey: Passkey, _ slots: [PasskeySlot] = []) -> JSONValue {
    let slot = slots.first { $0.credentialID == passkey.credentialID && $0.party == passkey.party }
    return [
      "id": .string(passkey.listID), "name": .string(passkey.name), "made": .integer(passkey.made),
      "last_used": passkey.lastUsed.map { .integer($0) } ?? .null, "host": .string(passkey.party),
      "slot": slot.map { .integer(Int64($0.id)) } ?? .null,
    ]
  }
}

extension CallReply {
  static let noPasskeysWhileLocked = CallReply(
    200,
    .failure(
      exit: 3, error: "While the signer is locked, no passkey can be added.", hint: "Unlock it first: holdfast unlock",
      wantsUnlocking: true))
  static let noPasskeysHere = refused(
    200, exit: 1, "Browsers allow passkeys only at localhost or over HTTPS at a host name.",
    hint: "Open the console at the address that 'holdfast console' prints.")

  static func refused(_ fault: PasskeyError, status: Int) -> CallReply {
    let (error, hint): (String, String?) =
      switch fault {
      case .challengeUnknown: ("This took too long, or was sent twice.", "Try again.")
      case .unknownPasskey: ("This signer does not know this passkey.", "Sign in by link: holdfast console")
      case .ownerNotVerified: ("The device did not verify you.", "Use a passkey with a PIN, a finger or your face.")
      case .counterWentBack:
        ("This passkey was used somewhere else: there may be a copy of it.", "Sign in by link, and remove the passkey.")
      case .addedAlready: ("This passkey is already added.", nil)
      case .tooMany:
        ("There are already \(Passkeys.most) passkeys, the most that are allowed.", "Remove one that you do not use.")
      case .notStored: ("The vault could not be written. Nothing was changed.", "Check that the disk has space.")
      case .keyOfAnotherKind:
        ("This device makes a type of key that Holdfast does not accept.", "Use a device that makes ES256 keys.")
      case .credentialMalformed, .clientDataMalformed, .authenticatorDataMalformed, .otherPurpose, .otherOrigin, .forAnotherHost,
        .keyMalformed, .signatureWrong:
        ("The passkey's answer is wrong.", "Try again, at the address that 'holdfast console' prints.")
      }
    return refused(status, exit: 4, error, hint: hint)
  }
}
