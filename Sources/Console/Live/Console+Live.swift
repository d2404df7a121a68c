internal import Platform
public import Sockets

/// The live channel: open pages hear at once that something changed.
extension Console {
  static let livePath = callPrefix + "live"
  /// The page's token, in the address: a handshake in a browser takes no header of the page's.
  static let liveToken = "token"

  /// Decides on a WebSocket handshake.
  public func upgrade(_ request: HTTPRequest) -> Service.Upgrade {
    do throws(OriginCheck.Refusal) {
      let origin = try originCheck.origin(of: request)
      try originCheck.checkOrigin(request, at: origin)
      guard request.path == Self.livePath else { return .refuse(HTTPResponse(status: 404, text: "Nothing is here.")) }
      let now = hooks.now()
      guard let token = SessionCookie(origin: origin).token(in: request),
        let session = state.withLock({ $0.sessions.use(token, now: now) }), isRight(request.query(Self.liveToken), for: session)
      else { return .refuse(HTTPResponse(status: 401, text: "You are not signed in.")) }
      guard state.withLock({ $0.live.admits(session.id) }) else {
        return .refuse(HTTPResponse(status: 429, text: "Too many pages are open."))
      }
      return .accept(
        LivePage(self, session: session.id),
        WebSocketOptions(messageBytes: LiveSockets.messageBytes, sendQueueBytes: LiveSockets.sendQueueBytes))
    } catch {
      return .refuse(CallReply(error).response(isSecure: false))
    }
  }

  /// Tells every open page. From any thread.
  public func tell(_ hint: ConsoleHint) {
    let sockets = state.withLock { state in !state.live.isEmpty && state.live.maySay(hint) ? state.live.all : [] }
    guard !sockets.isEmpty else { return }
    for socket in sockets { socket.send(hint.text) }
    hooks.after(LiveSockets.pauseMilliseconds) { [weak self] in
      guard let self, state.withLock({ $0.live.endPause(hint) }) else { return }
      tell(hint)
    }
  }

  fileprivate func opened(_ socket: WebSocket, of session: String) {
    let now = hooks.now()
    let (isOver, starts) = state.withLock { state in
      // It may have ended between the handshake and now.
      guard state.sessions.all(now: now).contains(where: { $0.id == session }), state.live.admits(session) else {
        return (true, false)
      }
      state.live.add(socket, of: session)
      defer { state.live.isTicking = true }
      return (false, !state.live.isTicking)
    }
    if isOver { return socket.close(code: LiveSockets.signedOutCode) }
    socket.send(ConsoleHint.hello)
    if starts { scheduleTick() }
  }

  fileprivate func closed(_ socket: WebSocket) { state.withLock { $0.live.remove(socket) } }

  /// Ticks while a page is open, and not otherwise: an idle signer sleeps.
  private func scheduleTick() {
    hooks.after(LiveSockets.tickMilliseconds) { [weak self] in
      guard let self else { return }
      endOldSessions()
      let sockets = state.withLock { state in
        state.live.isTicking = !state.live.isEmpty
        return state.live.all
      }
      guard !sockets.isEmpty else { return }
      for socket in sockets { socket.send(ConsoleHint.tick) }
      scheduleTick()
    }
  }
}

/// One open page.
private final class LivePage: WebSocketHandler {
  private let console: Console
  private let session: String

  init(_ console: Console, session: String) { (self.console, self.session) = (console, session) }

  func opened(_ webSocket: WebSocket) { console.opened(webSocket, of: session) }
  /// A page has nothing to say here: what it wants done it asks for by a call, with its CSRF token.
  func received(_ webSocket: WebSocket, text: [UInt8]) {}
  func closed(_ webSocket: WebSocket, reason: CloseReason) { console.closed(webSocket) }
}
