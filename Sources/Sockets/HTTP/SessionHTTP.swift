import CWebSockets

/// The HTTP part of a session, until it becomes a WebSocket.
extension Session {
  func handleHTTP(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ input: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    guard let listener else { return 0 }
    let exchange = self.exchange ?? HTTPExchange(session: self)
    self.exchange = exchange
    switch reason {
    case LWS_CALLBACK_HTTP: return exchange.begin(wsi, listener) ? 0 : -1
    case LWS_CALLBACK_HTTP_BODY: exchange.bodyPiece(wsi, input)
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: exchange.bodyComplete(wsi, listener)
    case LWS_CALLBACK_HTTP_WRITEABLE: break
    default:
      exchange.connectionGone()
      return lws_callback_http_dummy(wsi, reason, user, input.baseAddress, input.count)
    }
    return 0
  }

  /// - Returns: 0 to continue the handshake, 1 if a response was written instead, -1 to end the connection.
  ///
  /// The protocol name that comes with the callback is not read. For a name that libwebsockets does not know, it may point to
  /// memory that was just freed.
  func confirmUpgrade(_ wsi: OpaquePointer) -> Int32 {
    guard let listener, webSocket == nil, exchange?.isBusy != true,
      let request = request(wsi, listener),
      request.method == "GET", request.header("upgrade")?.lowercased() == "websocket"
    else { return -1 }
    switch listener.service.upgrade(request) {
    case .accept(let handler, let options):
      let webSocket = WebSocket(loop: loop, peer: peer, options: options, handler: handler)
      webSocket.session = self
      self.webSocket = webSocket
      return 0
    case .refuse(let response): return refuseUpgrade(wsi, response)
    }
  }

  /// The request whose head was read, with the client that it counts for.
  func request(_ wsi: OpaquePointer, _ listener: Listener) -> HTTPRequest? {
    let read = HTTPRequestReader.request(wsi, peer: peer, extraHeaders: listener.options.extraHeaders)
    guard var request = read else { return nil }
    look(at: request)
    request.holder = holder
    return request
  }

  private func refuseUpgrade(_ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
    guard HTTPHead.write(wsi, response, closes: true, isUpgrade: true, scratch: &loop.scratch) else { return -1 }
    let body = response.body.openBytes.prefix(4_096)
    _ = loop.scratch.with(body) { lws_write(wsi, $0, $1, LWS_WRITE_HTTP_FINAL) }
    return -1
  }
}
