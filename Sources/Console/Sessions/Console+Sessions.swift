internal import JSON
internal import Locks
internal import Sockets

/// Signing in and out.
extension Console {
  /// Calls that need no session. Nil for any other.
  func answerStranger(_ call: Call) -> CallReply? {
    switch call.operation {
    case "session/state": sessionState(call)
    case "session/open": openByLink(call)
    default: nil
    }
  }

  /// Calls about sessions themselves. Nil for any other.
  func answerSession(_ call: Call, _ session: ConsoleSession) -> CallReply? {
    switch call.operation {
    case "session/close":
      end(session.id, .signedOut)
      return .done(headers: [call.cookie.clear()])
    case "session/list": return listSessions(current: session)
    case "session/revoke": return revokeSession(call, current: session)
    default: return nil
    }
  }

  // MARK: in

  private func sessionState(_ call: Call) -> CallReply {
    let now = hooks.now()
    let token = call.token
    let session = token.flatMap { token in state.withLock { $0.sessions.use(token, now: now) } }
    var members: [JSONValue.Member] = [
      .init("signed_in", .bool(session != nil)), .init("has_passkeys", .bool(false)),
      .init("first_run", .bool(hooks.isFirstRun())), .init("version", .string(options.version)),
    ]
    if let session, let token {
      members += [
        .init("csrf", .string(csrf(for: token))),
        .init("proven", .bool(Sessions.isProvenRecently(session, now: now))),
        .init("can_have_passkeys", .bool(call.origin.canHavePasskeys)),
      ]
    }
    return .done(.object(members))
  }

  private func openByLink(_ call: Call) -> CallReply {
    let now = hooks.now()
    guard state.withLock({ $0.gate.admits(call.peer, now: now) }) else { return .tooMany }
    guard let token = call.parameters?["token"]?.string else { return .malformed("“token” is missing") }
    guard state.withLock({ $0.links.spend(token, now: now) }) else {
      signInFailed(now)
      return .refused(
        401, exit: 4, "This sign-in link was used already, or its ten minutes are over.",
        hint: "Print a new one with: holdfast console")
    }
    return signIn(call, by: .link, now)
  }

  /// A new session, always with a new token: whatever cookie the browser had before ends here.
  func signIn(_ call: Call, by means: SignInMeans, _ now: ConsoleTime) -> CallReply {
    if let token = call.token, let old = state.withLock({ $0.sessions.use(token, now: now) }) { end(old.id, .signedOut) }
    let opened = state.withLock { state in
      state.gate.succeeded(call.peer)
      return state.sessions.open(by: means, agent: call.agent, now: now)
    }
    if let crowdedOut = opened.crowdedOut { ended([crowdedOut], .crowdedOut) }
    hooks.record(.signedIn(means))
    tell(.sessions)
    return .done(["csrf": .string(csrf(for: opened.token))], headers: [call.cookie.set(opened.token)])
  }

  func signInFailed(_ now: ConsoleTime) {
    if let count = state.withLock({ $0.gate.failed(now: now) }) { hooks.record(.signInFailed(count: count)) }
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
    guard end(id, .revoked) else { return .refused(200, exit: 5, "That session has ended already.") }
    return .done(["revoked": .string(id)], headers: id == current.id ? [call.cookie.clear()] : [])
  }

  @discardableResult
  func end(_ id: String, _ why: SessionEnd) -> Bool {
    guard let session = state.withLock({ $0.sessions.end(id) }) else { return false }
    ended([session], why)
    return true
  }

  /// Their live connections end with them, at once.
  func ended(_ sessions: [ConsoleSession], _ why: SessionEnd) {
    guard !sessions.isEmpty else { return }
    let ids = Set(sessions.map(\.id))
    for socket in state.withLock({ $0.live.remove(ids) }) { socket.close(code: LiveSockets.signedOutCode, reason: why.rawValue) }
    for _ in sessions { hooks.record(.sessionEnded(why)) }
    tell(.sessions)
  }

  func endOldSessions() {
    let now = hooks.now()
    ended(state.withLock { $0.sessions.endOld(now: now) }, .expired)
  }
}
