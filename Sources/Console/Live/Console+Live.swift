import Platform
public import Sockets

/// The live channel: tells open pages at once that something changed.
extension Console {
  static let livePath = callPrefix + "live"
  /// The query name of the page's token. A browser's WebSocket handshake cannot carry a header of the page.
  static let liveToken = "token"

  /// Decides on a WebSocket handshake.
  public func upgrade(_ request: HTTPRequest) -> Service.Upgrade {
    do throws(OriginCheck.Refusal) {
      let origin = try originCheck.origin(of: request)
      try originCheck.checkOrigin(request, at: origin)
      guard request.path == Self.livePath else { return .refuse(HTTPResponse(status: 404, text: "There is nothing here.")) }
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

  /// Sends a hint to every open page. Callable from any thread.
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
      // The session may have ended since the handshake.
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

  /// Sends ticks only while a page is open, so that an idle signer sleeps.
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
  /// Messages from a page are ignored. A page requests operations by API calls, with its CSRF token.
  func received(_ webSocket: WebSocket, text: [UInt8]) {}
  func closed(_ webSocket: WebSocket, reason: CloseReason) { console.closed(webSocket) }
}
