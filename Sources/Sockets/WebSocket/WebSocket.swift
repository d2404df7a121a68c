import CWebSockets
import Platform

/// One WebSocket, of a client or of a server. Text messages only.
public final class WebSocket: @unchecked Sendable {  // Sendable: `outgoing` has a lock; the rest belongs to the loop
  static let goingAway: UInt16 = 1001
  /// Not 1013, "try again later", which libwebsockets and others treat as an error.
  static let policyViolation: UInt16 = 1008

  private struct Outgoing {
    /// How far the connection has come. It never goes back.
    enum Phase { case connecting, open, over }

    var queue = SendQueue()
    var phase = Phase.connecting
    var isListed = false
    var inHand = 0
    var closing: (code: UInt16, reason: String)?
  }

  /// The other end of an accepted connection; `unknown` for an outgoing one.
  public let peer: Peer
  private unowned let loop: EventLoop
  private let options: WebSocketOptions
  private let outgoing = Locked(Outgoing())

  // From here on: used on the loop thread only.
  private var handler: (any WebSocketHandler)?
  private var assembly: MessageAssembly
  private var isUnfinished = false
  private var verdict: CloseReason?
  private var hasOpened = false
  private var isOutgoing = false
  private var wantsReading = true
  weak var session: Session?
  var attempt: ConnectAttempt?

  init(loop: EventLoop, peer: Peer, options: WebSocketOptions, handler: any WebSocketHandler) {
    self.loop = loop
    self.peer = peer
    self.options = options
    self.handler = handler
    assembly = MessageAssembly(limit: options.messageBytes)
  }

  /// Queues a text message, which must be UTF-8. Callable from any thread, even before the connection is open.
  ///
  /// - Returns: false if the connection has ended or is closing, or if the message exceeds the queue's limit. In the last case
  ///   the connection is closed with `slowReader`.
  @discardableResult
  public func send(_ text: [UInt8]) -> Bool {
    enum Outcome { case queued, listed, refused, overflow }
    let outcome = outgoing.withLock { state -> Outcome in
      guard state.phase != .over, state.closing == nil else { return .refused }
      guard text.count <= options.sendQueueBytes - min(options.sendQueueBytes, state.queue.bytes + state.inHand) else {
        state.phase = .over
        return .overflow
      }
      state.queue.append(text)
      guard state.phase == .open, !state.isListed else { return .queued }
      state.isListed = true
      return .listed
    }
    switch outcome {
    case .queued: return true
    case .refused: return false
    case .listed: loop.hasUnsent(self)
    case .overflow:
      loop.post { [self] in abandon(.slowReader) }
      return false
    }
    return true
  }

  /// Closes after the queue has been sent, or after `SocketLimits.closeSeconds`. Callable from any thread; only the first call
  /// counts.
  ///
  /// A server sends a close frame with the code. A client just ends the connection, because libwebsockets 4.1 is not safe there.
  /// - Parameter reason: at most `SocketLimits.closeReasonBytes` bytes are sent.
  public func close(code: UInt16 = 1000, reason: String = "") {
    let isFirst = outgoing.withLock { state in
      guard state.phase != .over, state.closing == nil else { return false }
      state.closing = (code, reason)
      return true
    }
    if isFirst { loop.post { [self] in beginClosing(code) } }
  }

  /// Stops reading from the peer, which TCP then holds back. Callable from any thread. On the loop thread, no further message is
  /// delivered after this returns. A pause longer than `SocketLimits.pongWithinSeconds` may end the connection, because pongs are
  /// not read either.
  public func pauseReading() { onLoop { $0.setReading(false) } }

  /// Reads again. Callable from any thread.
  public func resumeReading() { onLoop { $0.setReading(true) } }

  /// Bytes that wait to be sent.
  public var queuedBytes: Int { outgoing.withLock { $0.queue.bytes + $0.inHand } }

  /// True from `opened` until the connection begins to end.
  public var isOpen: Bool { outgoing.withLock { $0.phase == .open && $0.closing == nil } }
}

// MARK: - The loop thread

extension WebSocket {
  func handle(_ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ input: UnsafeMutableRawBufferPointer) -> Int32? {
    switch reason {
    case LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_CLIENT_ESTABLISHED: return open(wsi)
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: return receive(wsi, UnsafeRawBufferPointer(input))
    case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return writeable(wsi)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      verdict = verdict ?? .peerClosed(code: input.count >= 2 ? UInt16(input[0]) << 8 | UInt16(input[1]) : 1005)
      return 0
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      connectionFailed(wsi, input)
      return 0
    case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED:
      ended(.peerVanished)
      return 0
    default: return nil
    }
  }

  private func open(_ wsi: OpaquePointer) -> Int32 {
    guard verdict == nil else { return -1 }
    attempt?.succeeded()
    isOutgoing = attempt != nil
    attempt = nil
    hasOpened = true
    outgoing.withLock { if $0.phase == .connecting { $0.phase = .open } }
    handler?.opened(self)
    if !wantsReading { lws_rx_flow_control(wsi, 0) }
    let hasMore = outgoing.withLock { !$0.queue.isEmpty || $0.closing != nil }
    if hasMore { lws_callback_on_writable(wsi) }
    return 0
  }

  private func receive(_ wsi: OpaquePointer, _ piece: UnsafeRawBufferPointer) -> Int32 {
    guard verdict == nil else { return 0 }
    guard lws_frame_is_binary(wsi) == 0 else { return fail(wsi, .notText) }
    let toCome = lws_remaining_packet_payload(wsi)
    let step = assembly.add(
      piece, bytesToCome: Int(clamping: toCome), endsFrame: toCome == 0, endsMessage: lws_is_final_fragment(wsi) != 0)
    switch step {
    case .incomplete:
      isUnfinished = true
      guard session?.mayHold(unfinished: assembly.heldBytes) ?? true else { return fail(wsi, .tooMuchUnfinished) }
    case .complete(let text):
      if isUnfinished { _ = session?.mayHold(unfinished: 0) }
      isUnfinished = false
      handler?.received(self, text: text)
    case .fault(let reason): return fail(wsi, reason)
    }
    return 0
  }

  private func writeable(_ wsi: OpaquePointer) -> Int32 {
    guard write(wsi) else { return -1 }
    guard let closing = outgoing.withLock({ $0.queue.isEmpty && $0.inHand == 0 ? $0.closing : nil }) else { return 0 }
    sayGoodbye(wsi, closing.code, closing.reason)
    return -1
  }

  /// Sends queued messages now, and the rest when the socket accepts more.
  func flush() {
    guard hasOpened, verdict == nil, let wsi = session?.wsi else { return }
    if !write(wsi) { session?.kill() }
  }

  /// libwebsockets keeps what the kernel does not accept of a message. No further message is passed to it until that is sent.
  private func write(_ wsi: OpaquePointer) -> Bool {
    let leaveTogether = outgoing.withLock { $0.queue.count > 1 }
    if leaveTogether { cork(wsi, true) }
    defer { if leaveTogether { cork(wsi, false) } }
    while lws_partial_buffered(wsi) == 0 {
      let next = outgoing.withLock { state -> [UInt8]? in
        let next = state.queue.next()
        state.inHand = next?.count ?? 0
        if next == nil { state.isListed = false }
        return next
      }
      guard let next else { return true }
      let written = loop.scratch.with(next[...]) { lws_write(wsi, $0, $1, LWS_WRITE_TEXT) }
      if written < 0 { return false }
    }
    lws_callback_on_writable(wsi)
    return true
  }

  /// While the socket is corked, the kernel collects what is written: several messages are sent as one packet and wake the peer
  /// once.
  private func cork(_ wsi: OpaquePointer, _ isCorked: Bool) {
    var value: Int32 = isCorked ? 1 : 0
    let socket = lws_get_socket_fd(lws_get_network_wsi(wsi))
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private func onLoop(_ body: @escaping @Sendable (WebSocket) -> Void) {
    if loop.isLoopThread { return body(self) }
    loop.post { [self] in body(self) }
  }

  private func setReading(_ reads: Bool) {
    guard wantsReading != reads else { return }
    wantsReading = reads
    guard hasOpened, verdict == nil, let wsi = session?.wsi else { return }
    lws_rx_flow_control(wsi, reads ? 1 : 0)
  }
}

// MARK: - The end

extension WebSocket {
  /// Ends the connection from one of its callbacks: sends the matching code, then returns -1.
  private func fail(_ wsi: OpaquePointer, _ reason: CloseReason) -> Int32 {
    verdict = reason
    let code: UInt16 =
      switch reason {
      case .messageTooLarge: 1009
      case .notUTF8: 1007
      case .notText: 1003
      case .tooManyFragments, .tooMuchUnfinished: Self.policyViolation
      default: 1002
      }
    sayGoodbye(wsi, code, reason == .tooMuchUnfinished ? reason.description : "")
    ended(reason)  // now, because the peer may take seconds for its part of the closing handshake
    return -1
  }

  // Not as a client: once a closing handshake has begun inside a frame, libwebsockets 4.1 continues with that frame and writes
  // past the end of its own buffer. Ending without a close frame is a valid end, too.
  private func sayGoodbye(_ wsi: OpaquePointer, _ code: UInt16, _ reason: String) {
    guard !isOutgoing else { return }
    var bytes = Array(reason.utf8.prefix(SocketLimits.closeReasonBytes))
    lws_close_reason(wsi, lws_close_status(UInt32(code)), &bytes, bytes.count)
  }

  private func beginClosing(_ code: UInt16) {
    guard let wsi = session?.wsi else { return attempt?.cancelled() ?? ended(.closedHere(code: code)) }
    verdict = verdict ?? .closedHere(code: code)
    guard hasOpened else {
      session?.kill()
      return
    }
    if paused { lws_rx_flow_control(wsi, 1) }  // the peer's half of the handshake must be read
    lws_callback_on_writable(wsi)
    loop.after(milliseconds: SocketLimits.closeSeconds * 1_000) { [weak self] in self?.session?.kill() }
  }

  private var paused: Bool { !wantsReading }

  /// Ends the connection at once, without a closing handshake.
  func abandon(_ reason: CloseReason) {
    verdict = verdict ?? reason
    guard let session, session.wsi != nil else { return ended(reason) }
    session.kill()
  }

  /// Whether the connection is useful to somebody. For the loop thread.
  var isOfUse: Bool { handler?.isOfUse(self) ?? false }

  /// Ends the connection because others need its place. Callable from any thread.
  public func pushOut() { loop.post { [self] in pushOut(.crowdedOut) } }

  /// Call it outside of callbacks. The peer is told why if it reads, but gets no time to answer, because its place is already
  /// taken.
  func pushOut(_ reason: CloseReason) {
    assembly.forget()
    let isFirst = outgoing.withLock { state in
      guard state.phase != .over, state.closing == nil else { return false }
      state.closing = (Self.policyViolation, reason.description)
      return true
    }
    verdict = verdict ?? reason
    guard isFirst, hasOpened, let wsi = session?.wsi else { return abandon(reason) }
    lws_callback_on_writable(wsi)
    loop.after(milliseconds: Self.leavingMilliseconds) { [weak self] in self?.session?.kill() }
  }

  private static let leavingMilliseconds = 50

  /// libwebsockets has finished with the connection, or it was never made.
  func ended(_ reason: CloseReason) {
    assembly.forget()
    outgoing.withLock { state in
      state.phase = .over
      state.inHand = 0
      state.queue.removeAll()
    }
    attempt?.cancelled()
    attempt = nil
    guard let handler else { return }
    self.handler = nil
    handler.closed(self, reason: verdict ?? reason)
  }
}

// MARK: - Connecting

extension WebSocket {
  var isClosing: Bool { outgoing.withLock { $0.phase == .over || $0.closing != nil } }

  private func connectionFailed(_ wsi: OpaquePointer, _ words: UnsafeMutableRawBufferPointer) {
    let reason = CloseReason.connectFault(wsi, UnsafeRawBufferPointer(words))
    session?.webSocket = nil
    session = nil
    if verdict == nil, reason == .refused, let attempt, attempt.tryNext() { return }
    ended(reason)
  }
}
