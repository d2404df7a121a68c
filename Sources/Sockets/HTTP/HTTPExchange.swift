import CWebSockets
import SecretMemory

/// The requests and responses of one HTTP connection, one at a time. Belongs to the loop thread.
///
/// libwebsockets 4.1 corrupts its memory when it takes a request with a body out of its own buffer: it reads the head as the
/// body, and a callback that then ends the connection ends it twice. Three rules avoid that path:
/// - Bytes that follow a request before its response are never parsed. The response says `Connection: close`, and the rest is
///   dropped.
/// - No callback ends the connection while a body is read. An error is noted, and a job of the loop sends the response and ends
///   the connection.
/// - A head that arrives while another request is open ends the connection in the head's own callback, where that is safe.
final class HTTPExchange {
  private enum State {
    case idle
    case readingBody(HTTPRequest, length: Int)
    case answering
    case writing(body: HTTPBody, sent: Int)
    case closing
  }
  /// A part is sent when the kernel reports that the socket is writable. It then accepts more than this.
  private static let pieceBytes = 8 * 1024
  private static let piecesAtOnce = 32
  private static let waitMilliseconds = 4

  private unowned let session: Session
  private var state = State.idle
  private var body: [UInt8] = []
  private var ticket: UInt64 = 0  // of the current request: a late or second response is not sent to the next one
  private var isHead = false
  private var closes = false
  private var hasLeftovers = false
  private var waiter: Waiter?
  /// Whether a check of the peer is due: one at a time.
  private var isWatched = false

  init(session: Session) { self.session = session }

  var isBusy: Bool { if case .idle = state { false } else { true } }

  /// Whether this type, and not libwebsockets, handles the rest of the connection.
  var isAnswering: Bool { if case .answering = state { true } else { false } }

  func closeAfterAnswer() { closes = true }

  /// Handles a request's head.
  /// - Returns: false to end the connection, because the request before it has no response yet.
  func begin(_ wsi: OpaquePointer, _ listener: Listener) -> Bool {
    guard !isBusy else { return false }
    ticket &+= 1
    wipe(&body)
    guard let request = session.request(wsi, listener) else {
      refuse(wsi, 400, "The request is malformed.")
      return true
    }
    isHead = request.method == "HEAD"
    if request.header("connection")?.lowercased() == "close" { closes = true }
    do throws(HTTPRequestReader.Fault) {
      let length = try HTTPRequestReader.bodyLength(wsi, of: request, limit: listener.options.bodyBytes)
      if length == 0 {
        answer(wsi, request, listener)
      } else if !session.mayHold(unfinished: length) {
        refuse(wsi, 503, "Too much waits for the rest of messages. Try again later.")
      } else {
        // Allocate the whole body at once: growing would leave copies of a secret behind.
        body.reserveCapacity(length)
        state = .readingBody(request, length: length)
      }
    } catch {
      switch error {
      case .malformed: refuse(wsi, 400, "The content-length is malformed.")
      case .lengthRequired: refuse(wsi, 411, "A body needs a content-length.")
      case .tooLarge: refuse(wsi, 413, "The body may have at most \(listener.options.bodyBytes) bytes.")
      }
    }
    return true
  }

  /// - Parameter piece: in memory of libwebsockets, where it is wiped.
  func bodyPiece(_ wsi: OpaquePointer, _ piece: UnsafeMutableRawBufferPointer) {
    defer { wipe(piece) }
    session.loop.touchedSecrets = true
    guard case .readingBody(_, let length) = state else { return }  // already refused: the rest of the body is dropped
    guard piece.count <= length - body.count else { return refuse(wsi, 400, "The body is longer than its content-length.") }
    body.append(contentsOf: piece)
  }

  func bodyComplete(_ wsi: OpaquePointer, _ listener: Listener) {
    guard case .readingBody(let request, let length) = state else { return }  // an empty body, or one that was refused
    guard body.count == length else { return refuse(wsi, 400, "The body is shorter than its content-length.") }
    session.loop.touchedSecrets = true
    let whole = request.with(body: body)
    body = []
    _ = session.mayHold(unfinished: 0)
    answer(wsi, whole, listener)
  }

  /// Nothing is read while a response is awaited or written. In that state libwebsockets does not report that the socket is
  /// writable, either: see `write`.
  private func answer(_ wsi: OpaquePointer, _ request: HTTPRequest, _ listener: Listener) {
    state = .answering
    lws_rx_flow_control(wsi, 0)
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.answerSeconds))
    let loop = session.loop
    let current = ticket
    var request = request
    let waiter = Waiter { [weak session] in loop.post { [weak session] in session?.exchange?.watch(current) } }
    (self.waiter, request.waiter) = (waiter, waiter)
    // The closure may live long on another thread. It holds the session, which is small; the session releases the rest.
    listener.service.http(request) { [session] response in
      loop.post { session.exchange?.respond(response, to: current) }
    }
  }

  private func respond(_ response: HTTPResponse, to ticket: UInt64) {
    guard case .answering = state, ticket == self.ticket, let wsi = session.wsi else { return }
    waiter?.answered()
    waiter = nil
    start(wsi, response)
  }

  /// Checks from time to time whether the peer is still there. While nothing is read, libwebsockets does not notice that it has left.
  private func watch(_ watched: UInt64) {
    guard !isWatched, case .answering = state, watched == ticket, let wsi = session.wsi else { return }
    guard !PeerCheck.hasLeft(lws_get_socket_fd(lws_get_network_wsi(wsi))) else {
      connectionGone()
      return session.kill()
    }
    isWatched = true
    session.loop.after(milliseconds: SocketLimits.peerCheckMilliseconds) { [weak session] in
      guard let exchange = session?.exchange else { return }
      exchange.isWatched = false
      exchange.watch(watched)
    }
  }

  /// Responds with an error and ends the connection, in a job of the loop, because this may be called while a body is read.
  private func refuse(_ wsi: OpaquePointer, _ status: Int, _ text: String) {
    closes = true
    wipe(&body)
    _ = session.mayHold(unfinished: 0)
    state = .answering
    lws_rx_flow_control(wsi, 0)
    let current = ticket
    session.loop.post { [weak session] in session?.exchange?.respond(HTTPResponse(status: status, text: text), to: current) }
  }

  private func start(_ wsi: OpaquePointer, _ response: HTTPResponse) {
    session.isOwners = response.isForOwner
    let isValid = (200...599).contains(response.status)
    let response = isValid ? response : HTTPResponse(status: 500, text: "No valid answer was made.")
    hasLeftovers = LeftoverBytes.mayExist(wsi, session.loop)
    if hasLeftovers { closes = true }
    guard HTTPHead.write(wsi, response, closes: closes, scratch: &session.loop.scratch) else { return session.kill() }
    state = .writing(body: isHead ? .open([]) : response.body, sent: 0)
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.requestSeconds))
    write()
  }

  func connectionGone() {
    waiter?.gone()
    waiter = nil
    state = .idle
    wipe(&body)
  }

  /// Sends the body part by part, each when the socket accepts more, and tries again a little later when it does not.
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
    guard !closes else { return hangUp() }
    state = .idle
    lws_rx_flow_control(wsi, 1)
    if lws_http_transaction_completed(wsi) != 0 { hangUp() }
  }

  /// libwebsockets reads nothing more here. Bytes left in its buffer would keep the loop busy, so the connection is ended sooner
  /// then.
  private func hangUp() {
    state = .closing
    GracefulClose.begin(session, patience: hasLeftovers ? GracefulClose.shortPatience : GracefulClose.patience)
  }
}
