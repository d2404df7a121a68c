import CWebSockets
import SecretMemory

/// The requests and answers of one HTTP connection, one at a time. Belongs to the loop thread.
final class HTTPExchange {
  private enum State {
    case idle
    case readingBody(HTTPRequest, length: Int)
    case answering
    case writing(body: HTTPBody, sent: Int)
    case closing
  }
  /// A piece goes out when the kernel says the socket is writable: then it has room for more than this.
  private static let pieceBytes = 8 * 1024
  private static let piecesAtOnce = 32
  private static let waitMilliseconds = 4

  private unowned let session: Session
  private var state = State.idle
  private var body: [UInt8] = []
  private var ticket: UInt64 = 0  // of the request that is being answered: a late or second answer does not hit the next one
  private var completions = 0
  private var isHead = false
  private var closes = false

  init(session: Session) { self.session = session }

  var isBusy: Bool { if case .idle = state { false } else { true } }

  func closeAfterAnswer() { closes = true }

  /// The request's head has been read.
  func begin(_ wsi: OpaquePointer, _ listener: Listener) {
    ticket &+= 1
    completions = 0
    wipe(&body)
    guard let request = HTTPRequestReader.request(wsi, peer: session.peer, extraHeaders: listener.options.extraHeaders) else {
      return refuse(wsi, 400, "The request is malformed.")
    }
    isHead = request.method == "HEAD"
    do throws(HTTPRequestReader.Fault) {
      let length = try HTTPRequestReader.bodyLength(wsi, of: request, limit: listener.options.bodyBytes)
      if length == 0 { return answer(wsi, request, listener) }
      // All the room at once: growing would leave copies of a secret behind.
      body.reserveCapacity(length)
      state = .readingBody(request, length: length)
    } catch {
      switch error {
      case .malformed: refuse(wsi, 400, "The content-length is malformed.")
      case .lengthRequired: refuse(wsi, 411, "A body needs a content-length.")
      case .tooLarge: refuse(wsi, 413, "The body may have at most \(listener.options.bodyBytes) bytes.")
      }
    }
  }

  /// - Parameter piece: in memory of libwebsockets; wiped there.
  func bodyPiece(_ piece: UnsafeMutableRawBufferPointer) -> Bool {
    defer { wipe(piece) }
    session.loop.touchedSecrets = true
    guard case .readingBody(_, let length) = state else { return true }  // refused already: what still comes is dropped
    guard piece.count <= length - body.count else { return false }
    body.append(contentsOf: piece)
    return true
  }

  /// - Returns: false to hang up. With a request right behind the body in the same bytes, libwebsockets 4.1 calls this again and again, and
  ///   does nothing else, until the first request is answered: a second call is such a peer (RFC 9112, 9.3.2, warns of it).
  func bodyComplete(_ wsi: OpaquePointer, _ listener: Listener) -> Bool {
    completions += 1
    guard completions == 1 else { return false }
    guard case .readingBody(let request, let length) = state else { return true }  // a body of no bytes, or one that was refused
    guard body.count == length else { return false }
    session.loop.touchedSecrets = true
    let whole = request.with(body: body)
    body = []
    answer(wsi, whole, listener)
    return true
  }

  /// While an answer is awaited and written nothing is read. Otherwise libwebsockets 4.1, given a pipelined request, serves its own
  /// buffer in a closed loop and no socket gets a turn. In that state it reports no writability either: see `write`.
  private func answer(_ wsi: OpaquePointer, _ request: HTTPRequest, _ listener: Listener) {
    state = .answering
    lws_rx_flow_control(wsi, 0)
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.answerSeconds))
    let loop = session.loop
    let current = ticket
    // The closure may live long on another thread: it holds the session, which is small, and the session lets go of the rest.
    listener.service.http(request) { [session] response in
      loop.post { session.exchange?.respond(response, to: current) }
    }
  }

  private func respond(_ response: HTTPResponse, to ticket: UInt64) {
    guard case .answering = state, ticket == self.ticket, let wsi = session.wsi else { return }
    start(wsi, response)
  }

  private func refuse(_ wsi: OpaquePointer, _ status: Int, _ text: String) {
    closes = true
    start(wsi, HTTPResponse(status: status, text: text))
  }

  private func start(_ wsi: OpaquePointer, _ response: HTTPResponse) {
    let isValid = (200...599).contains(response.status)
    let response = isValid ? response : HTTPResponse(status: 500, text: "No valid answer was made.")
    guard HTTPHead.write(wsi, response, closes: closes, scratch: &session.loop.scratch) else { return session.kill() }
    state = .writing(body: isHead ? .open([]) : response.body, sent: 0)
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.requestSeconds))
    write()
  }

  func connectionGone() {
    state = .idle
    wipe(&body)
  }

  /// Sends the body piece by piece, each when the socket has room, and looks again a little later when it has none.
  private func write() {
    guard case .writing(let body, var sent) = state, let wsi = session.wsi else { return }
    if case .secret = body { session.loop.touchedSecrets = true }
    for _ in 0..<Self.piecesAtOnce {
      guard sent < body.count else { return complete(wsi) }
      guard lws_send_pipe_choked(wsi) == 0 else { break }
      let piece = sent..<min(body.count, sent + Self.pieceBytes)
      sent = piece.upperBound
      let kind = sent == body.count ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
      let written = body.withPiece(piece, in: &session.loop.scratch) { lws_write(wsi, $0, $1, kind) }
      guard written >= 0, lws_partial_buffered(wsi) == 0 else { return session.kill() }
      lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.requestSeconds))
    }
    state = .writing(body: body, sent: sent)
    let current = ticket
    session.loop.after(milliseconds: Self.waitMilliseconds) { [weak session] in
      guard let exchange = session?.exchange, exchange.ticket == current else { return }
      exchange.write()
    }
  }

  private func complete(_ wsi: OpaquePointer) {
    state = closes ? .closing : .idle
    lws_rx_flow_control(wsi, 1)
    if closes {
      lws_callback_on_writable(wsi)
    } else if lws_http_transaction_completed(wsi) != 0 {
      session.kill()
    }
  }

  /// What libwebsockets gets to hear in a callback that asks nothing of us: 0 to go on, -1 to close.
  var verdict: Int32 { if case .closing = state { -1 } else { 0 } }
}
