import JSON
import OwnerAPI
import Platform
import Sockets

/// Signing in and out.
extension Console {
  /// Handles calls that need no session.
  /// - Returns: false for any other call.
  func answerStranger(_ call: Call, _ answer: @escaping @Sendable (CallReply) -> Void) -> Bool {
    switch call.operation {
    case "session/state": answer(sessionState(call))
    case "session/open": answer(openByLink(call))
    case "passkey/challenge": return onWorker(call, answer) { [self] in passkeyChallenge(call, $0) }
    case "passkey/sign-in": return withRequest(call, answer) { [self] in signInByPasskey(call, $0, answer) }
    case "passphrase/options": return onWorker(call, answer) { [self] _ in passphraseOptions(call) }
    case "passphrase/sign-in": return withRequest(call, answer) { [self] in signInByPassphrase(call, $0, answer) }
    default: return false
    }
    return true
  }

  /// Handles calls about sessions and passkeys.
  /// - Returns: false for any other call.
  func answerSession(_ call: Call, _ session: ConsoleSession, _ answer: @escaping @Sendable (CallReply) -> Void) -> Bool {
    switch call.operation {
    case "session/close":
      end(session.id, .signedOut)
      answer(.done(headers: [call.cookie.clear()]))
    case "link/ticket": answer(linkTicket(for: session))
    case "session/list": answer(listSessions(current: session))
    case "session/revoke": answer(revokeSession(call, current: session))
    case "passkey/begin": answer(beginPasskey(call, session))
    case "passkey/add": return onWorker(call, answer) { [self] in addPasskey(call, session, $0) }
    case "passkey/list": return onWorker(call, answer) { [self] _ in listPasskeys() }
    case "passkey/remove":
      guard isProvenRecently(session) else {
        answer(.wantsProof)
        return true
      }
      return onWorker(call, answer) { [self] in removePasskey($0, keeping: session.id) }
    default: return answerUnlocking(call, session, answer)
    }
    return true
  }

  // MARK: in

  private func sessionState(_ call: Call) -> CallReply {
    let now = hooks.now()
    let session = signedIn(call, now)
    var members: [JSONValue.Member] = [
      .init("signed_in", .bool(session != nil)),
      .init("has_passkeys", .bool(state.withLock { !$0.passkeys.at(call.origin).isEmpty })),
      .init("first_run", .bool(hooks.isFirstRun())), .init("locked", .bool(hooks.isLocked())),
      .init("locked_down", .bool(hooks.isLockedDown())),
      .init("version", .string(options.version)),
      .init("run", .string(run)),
    ]
    if let session {
      members += [
        .init("proven", .bool(isProvenRecently(session))),
        .init("can_have_passkeys", .bool(call.origin.canHavePasskeys)),
      ]
    }
    return .done(.object(members))
  }

  /// The session of a browser that is signed in.
  private func signedIn(_ call: Call, _ now: ConsoleTime) -> ConsoleSession? {
    call.token.flatMap { token in state.withLock { $0.sessions.use(token, now: now) } }
      .flatMap { isRight(call.csrf, for: $0) ? $0 : nil }
  }

  private func openByLink(_ call: Call) -> CallReply {
    let now = hooks.now()
    guard call.bodyBytes <= Self.linkBytes, let token = call.parameters?["token"]?.string else {
      return .malformed("“token” is missing")
    }
    let use = state.withLock { $0.links.spend(token, by: call.peer, now: now) }
    if use == .spent { return signIn(call, by: .link, now) }
    // The owner's own browser loads its link again. It stays signed in, and this proves nothing anew.
    if use == .usedBefore, let session = signedIn(call, now) {
      return CallReply.done(["csrf": .string(csrf(for: session))]).forOwner
    }
    guard signInFailed(call, now, with: use) else { return .tooMany }
    guard use != .anothers else {
      return .refused(
        401, exit: 4, "This sign-in link works only in a browser of the user who opened it.",
        hint: "Print one that works in any browser with: holdfast console")
    }
    return .refused(
      401, exit: 4, "This sign-in link was already used, or its ten minutes are over.",
      hint: "Print a new one with: holdfast console")
  }

  /// Signs in, always with a new token. A cookie that the browser had before is no longer valid.
  func signIn(_ call: Call, by means: SignInMeans, passkey: String? = nil, _ now: ConsoleTime) -> CallReply {
    var crowdedOut: ConsoleSession?
    let (token, session) = state.withLock { state in
      state.signInLimiter.succeeded(call.peer)
      state.wrongPassphrases = 0
      if let old = call.token, let renewed = state.sessions.renew(old, by: means, now: now) { return renewed }
      let opened = state.sessions.open(by: means, agent: call.agent, now: now)
      crowdedOut = opened.crowdedOut
      return (opened.token, opened.session)
    }
    let isLocked = hooks.isLocked()
    state.withLock { state in
      state.sessions.note(session.id, passkey: passkey)
      state.sessions.note(session.id, isProvenWhileLocked: means == .link && isLocked)
    }
    ended([crowdedOut].compactMap { $0 }, .crowdedOut)
    hooks.record(.signedIn(means))
    tell(.sessions)
    return CallReply.done(["csrf": .string(csrf(for: session))], headers: [call.cookie.set(token), CallReply.clearing]).forOwner
  }

  /// The longest body of a sign-in with a link, in bytes. Strangers cannot send more.
  private static let linkBytes = 1024

  /// Counts a failure of the caller.
  /// - Parameter link: what became of the link that the caller has.
  /// - Returns: false if it exceeds the limit.
  func signInFailed(_ call: Call, _ now: ConsoleTime, with link: SignInLinks.Use = .none) -> Bool {
    guard case .counted(let untold) = state.withLock({ $0.signInLimiter.failed(call.peer, now: now) }) else { return false }
    guard let untold else { return true }
    let (count, place) = (untold.count, untold.peer.flatMap { SignInPlace($0) })
    switch link {
    case .usedBefore: hooks.record(.usedLinkTried(count: count, from: place))
    case .closed: hooks.record(.closedLinkTried(count: count, from: place))
    case .none, .spent, .anothers: hooks.record(.signInFailed(count: count, from: place))
    }
    return true
  }

  /// Whether the owner proved who they are within the last minutes, as the session has it.
  func isProvenRecently(_ session: ConsoleSession) -> Bool {
    Sessions.isProvenRecently(session, now: hooks.now(), isLocked: hooks.isLocked())
  }

  /// The owner's operation for a session. Whoever unlocks has shown a credential, so that the session's proof goes on to count. The
  /// passphrase alone counts as a new proof.
  func perform(_ request: ControlRequest, in session: ConsoleSession, _ answer: @escaping @Sendable (ControlResponse) -> Void) {
    var request = request
    request.session = session.id
    hooks.perform(request) { [self, operation = request.operation] response in
      noteProof(by: operation, response, in: session)
      answer(response)
    }
  }

  private func noteProof(by operation: String, _ response: ControlResponse, in session: ConsoleSession) {
    guard case .success = response else { return }
    switch operation {
    case "unlock", "resume": state.withLock { $0.sessions.note(session.id, isProvenWhileLocked: false) }
    case SessionProve.properties.name:
      let now = hooks.now()
      guard state.withLock({ $0.sessions.prove(session.id, now: now) }) else { return }
      hooks.record(.signedIn(.passphrase))
    default: break
    }
  }

  // MARK: out

  private func listSessions(current: ConsoleSession) -> CallReply {
    let now = hooks.now()
    let list = state.withLock { $0.sessions.all(now: now) }.map { session -> JSONValue in
      [
        "id": .string(session.id), "current": .bool(session.id == current.id), "made": .integer(session.made.wall),
        "last_seen": .integer(session.lastSeen.wall), "by": .string(session.by.rawValue), "agent": .string(session.agent),
      ]
    }
    return .done(["sessions": .array(list)])
  }

  private func revokeSession(_ call: Call, current: ConsoleSession) -> CallReply {
    guard let id = call.parameters?["id"]?.string else { return .malformed("“id” is missing") }
    guard end(id, .revoked) else { return .refused(200, exit: 5, "That session has already ended.") }
    return .done(["revoked": .string(id)], headers: id == current.id ? [call.cookie.clear()] : [])
  }

  @discardableResult
  func end(_ id: String, _ why: SessionEnd) -> Bool {
    guard let session = state.withLock({ $0.sessions.end(id) }) else { return false }
    ended([session], why)
    return true
  }

  /// Ends the live connections of these sessions at once.
  func ended(_ sessions: [ConsoleSession], _ why: SessionEnd) {
    guard !sessions.isEmpty else { return }
    let ids = Set(sessions.map(\.id))
    state.withLock { state in for id in ids { state.userHandles[id] = nil } }
    for socket in state.withLock({ $0.live.remove(ids) }) { socket.close(code: LiveSockets.signedOutCode, reason: why.rawValue) }
    for session in sessions {
      hooks.sessionEnded(session.id)
      hooks.record(.sessionEnded(why))
    }
    tell(.sessions)
  }

  /// Ends every session and closes every sign-in link, when everything is suspended or somebody guesses. Passkeys can sign in again.
  public func endAllSessions(_ why: SessionEnd = .shut) {
    ended(
      state.withLock { state in
        state.links.closeAll()
        return state.sessions.endAll()
      }, why)
  }

  func endOldSessions() {
    let now = hooks.now()
    ended(state.withLock { $0.sessions.endOld(now: now) }, .expired)
  }
}
