import CWebSockets
import Platform

/// The state that this module keeps for one libwebsockets connection: a listening socket, an HTTP connection, or a WebSocket.
///
/// Belongs to the loop thread. The loop's table owns it until libwebsockets reports that the connection is destroyed.
final class Session: @unchecked Sendable {  // Sendable: used on the loop thread only; other threads only hold it
  unowned let loop: EventLoop
  let listener: Listener?
  let peer: Peer
  /// The peer.
  let origin: Holder
  /// The party it counts for: `origin`, or the client behind that proxy.
  var holder: Holder
  var share: Admission.Share?
  /// Bytes of an incomplete message or body.
  var unfinishedBytes = 0
  /// A response to the signed-in owner was sent.
  var isOwners = false
  /// It must close to make room.
  var isPushedOut = false
  var wsi: OpaquePointer?
  var webSocket: WebSocket?
  var exchange: HTTPExchange?
  var lines: LineConnection?
  var isListening = false
  private var mustClose = false

  init(loop: EventLoop, listener: Listener? = nil, peer: Peer = .unknown, holder: Holder = .unknown) {
    self.loop = loop
    self.listener = listener
    self.peer = peer
    (self.origin, self.holder) = (holder, holder)
  }

  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func register() { loop.sessions[ObjectIdentifier(self)] = self }

  /// The connection has ended, for whatever reason. `reason` is passed to a WebSocket that has not received another one before.
  func end(_ reason: CloseReason) {
    webSocket?.ended(reason)
    webSocket = nil
    exchange?.connectionGone()
    exchange = nil
    lines?.ended()
    lines = nil
    if let wsi { lws_set_opaque_user_data(wsi, nil) }  // further callbacks of libwebsockets must not reach this session
    wsi = nil
    guard loop.sessions.removeValue(forKey: ObjectIdentifier(self)) != nil else { return }
    admission?.left(self)
    if !isListening { listener?.sessionEnded() }
    loop.exitWhenEmpty()
  }

  /// The loop is stopping: end as soon as queued data is sent.
  func drain() {
    if let lines { return lines.close() }
    if let webSocket { return webSocket.close(code: WebSocket.goingAway, reason: "") }
    if let exchange, exchange.isBusy { return exchange.closeAfterAnswer() }
    kill()
  }

  /// Closes at once, without a closing handshake.
  func kill() {
    guard let wsi else { return }
    mustClose = true
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
  }

  func handle(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ input: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    self.wsi = wsi
    switch reason {
    case LWS_CALLBACK_WSI_DESTROY:
      end(.peerVanished)
      return 0
    case LWS_CALLBACK_RAW_RX_FILE:
      listener?.accept()
      return 0
    case LWS_CALLBACK_RAW_ADOPT_FILE, LWS_CALLBACK_RAW_CLOSE_FILE, LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
      return 0
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return confirmUpgrade(wsi)
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_RX, LWS_CALLBACK_RAW_WRITEABLE, LWS_CALLBACK_RAW_CLOSE:
      if listener?.service.lines != nil { return mustClose ? -1 : lines?.handle(wsi, reason, input) ?? 0 }
      return reason == LWS_CALLBACK_RAW_CLOSE ? 0 : -1  // a CONNECT: libwebsockets would keep the connection without a time limit
    case LWS_CALLBACK_HTTP, LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_HTTP_BODY_COMPLETION, LWS_CALLBACK_HTTP_WRITEABLE,
      LWS_CALLBACK_CLOSED_HTTP:
      return handleHTTP(wsi, reason, user, input)
    default:
      if let answer = webSocket?.handle(wsi, reason, input) { return mustClose ? -1 : answer }
      return lws_callback_http_dummy(wsi, reason, user, input.baseAddress, input.count)
    }
  }
}

extension Session {
  /// Whether TCP_NODELAY is set on the socket; for tests.
  var hasNoDelay: Bool {
    guard let wsi else { return false }
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let found = getsockopt(lws_get_socket_fd(lws_get_network_wsi(wsi)), Int32(IPPROTO_TCP), TCP_NODELAY, &value, &length)
    return found == 0 && value != 0
  }
}
