import CWebSockets
import SecretMemory

/// The requests and answers of one HTTP connection, one at a time. Belongs to the loop thread.
///
/// libwebsockets 4.1 corrupts its memory when it takes a request with a body out of its own buffer: it reads the head as the body, and a
/// callback that then ends the connection ends it twice. Three rules keep it off that path:
/// - What follows a request before its answer is never parsed. The answer says `Connection: close` and the rest is dropped.
/// - No callback ends the connection from inside a body. A fault is noted; the answer and the end come from a job of the loop.
/// - A head that comes while another request is open ends the connection in the head's own callback, where that is safe.
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
  private var isHead = false
  private var closes = false
  private var hasLeftovers = false

  init(session: Session) { self.session = session }

  var isBusy: Bool { if case .idle = state { false } else { true } }

  /// Whether the rest is ours to do.
  var isAnswering: Bool { if case .answering = state { true } else { false } }

  func closeAfterAnswer() { closes = true }

  /// The request's head has been read.
  /// - Returns: false to hang up: the request before it has no answer yet.
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
        // All the room at once: growing would leave copies of a secret behind.
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

  /// - Parameter piece: in memory of libwebsockets; wiped there.
  func bodyPiece(_ wsi: OpaquePointer, _ piece: UnsafeMutableRawBufferPointer) {
    defer { wipe(piece) }
    session.loop.touchedSecrets = true
    guard case .readingBody(_, let length) = state else { return }  // refused already: what still comes is dropped
    guard piece.count <= length - body.count else { return refuse(wsi, 400, "The body is longer than its content-length.") }
    body.append(contentsOf: piece)
  }

  func bodyComplete(_ wsi: OpaquePointer, _ listener: Listener) {
    guard case .readingBody(let request, let length) = state else { return }  // a body of no bytes, or one that was refused
    guard body.count == length else { return refuse(wsi, 400, "The body is shorter than its content-length.") }
    session.loop.touchedSecrets = true
    let whole = request.with(body: body)
    body = []
    _ = session.mayHold(unfinished: 0)
    answer(wsi, whole, listener)
  }

  /// While an answer is awaited and written nothing is read. In that state libwebsockets reports no writability either: see `write`.
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

  /// Answers with a fault and ends the connection, in a job of the loop: this may be inside a body.
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
    guard !closes else { return hangUp() }
    state = .idle
    lws_rx_flow_control(wsi, 1)
    if lws_http_transaction_completed(wsi) != 0 { hangUp() }
  }

  /// Nothing is read by libwebsockets any more. What it keeps in its buffer makes it turn in circles, so the end comes sooner then.
  private func hangUp() {
    state = .closing
    GracefulClose.begin(session, patience: hasLeftovers ? GracefulClose.shortPatience : GracefulClose.patience)
  }
}
