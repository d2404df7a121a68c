import Curve
import Encodings
import Nostr
import Platform
import Sockets

/// One connection to the embedded relay.
final class EmbeddedConnection: WebSocketHandler {
  private struct State {
    var socket: WebSocket?
    var events: TokenBucket
    var requests: TokenBucket
    var searches: TokenBucket
    var sending: TokenBucket
    var malformed = 0
    var forged = 0
    var checks = 0
    var bytes = 0
    var isPaused = false
    var authors: Set<PublicKey> = []
    var isPushedOut = false
    /// The number of bytes waiting for this client at which the sum for all clients is computed again.
    var nextSum = 0
  }

  let challenge = Bytes32.fresh().hex
  let holder: Holder
  private let relay: EmbeddedRelay
  private let state: Locked<State>

  init(_ relay: EmbeddedRelay, _ holder: Holder) {
    (self.relay, self.holder) = (relay, holder)
    let now = relay.clock()
    state = Locked(
      State(
        events: TokenBucket(relay.eventRate, now: now), requests: TokenBucket(relay.requestRate, now: now),
        searches: TokenBucket(relay.ownSearchRate, now: now), sending: TokenBucket(relay.ownSearchRate, now: now)))
  }

  var isLoggedIn: Bool { state.withLock { !$0.authors.isEmpty } }

  func logIn(_ author: PublicKey) { state.withLock { _ = $0.authors.insert(author) } }

  /// Ends the connection because others need its place.
  func pushOut() {
    let socket = state.withLock { state in
      state.isPushedOut = true
      return state.socket
    }
    socket?.pushOut()
  }

  func isOfUse(_ webSocket: WebSocket) -> Bool { relay.isOfUse(self) }

  var queuedBytes: Int { state.withLock { $0.socket }?.queuedBytes ?? 0 }

  func send(_ message: [UInt8]) {
    guard let socket = state.withLock({ $0.socket }) else { return }
    guard socket.send(message), socket.queuedBytes > relay.limits.fairQueueBytes else { return }
    if isTooMuch(socket.queuedBytes) { socket.close(code: 1008, reason: "too much waits for those who do not read") }
  }

  // Summing takes a while. It is done each time another fair share waits for this client, not for each message.
  private func isTooMuch(_ waiting: Int) -> Bool {
    let (fair, all) = (relay.limits.fairQueueBytes, relay.limits.allSendQueueBytes)
    let isDue = state.withLock { state in
      guard waiting >= state.nextSum || waiting < state.nextSum - 2 * fair else { return false }
      state.nextSum = waiting + fair
      return true
    }
    return isDue && relay.queuedBytes > all
  }

  func send(_ message: RelayMessage) { send(message.json()) }

  func refuse(_ id: Bytes32, _ refusal: RelayRefusal) { send(.ok(id: id, accepted: false, message: refusal.rawValue)) }

  func refuse(_ subscription: String, _ refusal: RelayRefusal) {
    send(.closed(subscription: subscription, message: refusal.rawValue))
  }

  // MARK: what comes

  func opened(_ webSocket: WebSocket) {
    let isLate = state.withLock { state in
      state.socket = webSocket
      return state.isPushedOut
    }
    if isLate { return webSocket.pushOut() }
    relay.opened(self)
  }

  func closed(_ webSocket: WebSocket, reason: CloseReason) {
    state.withLock { $0.socket = nil }
    relay.gone(self)
  }

  func received(_ webSocket: WebSocket, text: [UInt8]) {
    guard let message = try? ClientMessage(parsing: text, limits: relay.parseLimits) else { return malformed(webSocket) }
    switch message {
    case .event(let event):
      guard mayPublish() else { return refuse(event.id, .tooFast) }
      relay.offered(event, size: text.count, by: self)
    case .request(let subscription, let filters):
      guard mayAsk() else { return refuse(subscription, .tooFast) }
      relay.requested(subscription, filters, by: self)
    case .close(let subscription): relay.closed(subscription, by: self)
    case .auth(let event):
      guard mayAsk() else { return refuse(event.id, .tooFast) }
      relay.login(event, size: text.count, by: self)
    }
  }

  // MARK: limits

  private func mayPublish() -> Bool {
    let now = relay.clock()
    return state.withLock { $0.events.take(relay.eventRate, now: now) }
  }

  private func mayAsk() -> Bool {
    let now = relay.clock()
    return state.withLock { $0.requests.take(relay.requestRate, now: now) }
  }

  /// Takes comparisons from the connection's own budget. False when it is used up.
  func maySearch(_ steps: Int) -> Bool {
    let now = relay.clock()
    return state.withLock { $0.searches.take(relay.ownSearchRate, count: steps, now: now) }
  }

  /// Takes steps from the connection's own sending budget. False when it is used up.
  func maySend(_ steps: Int) -> Bool {
    let now = relay.clock()
    return state.withLock { $0.sending.take(relay.ownSearchRate, count: steps, now: now) }
  }

  /// Takes all remaining steps of `maySend`.
  /// - Returns: the number of steps.
  func takeSending() -> Int {
    let now = relay.clock()
    return state.withLock { $0.sending.takeAll(relay.ownSearchRate, now: now) }
  }

  private func malformed(_ webSocket: WebSocket) {
    let isTooMuch = state.withLock { state in
      state.malformed += 1
      return state.malformed > relay.limits.malformedMessages
    }
    send(.notice(RelayRefusal.malformed.rawValue))
    if isTooMuch { webSocket.close(code: 1008, reason: "too many malformed messages") }
  }

  /// Counts an event with a wrong id or signature. Honest clients send none, and the check costs time.
  func forged() {
    let socket = state.withLock { state in
      state.forged += 1
      return state.forged > relay.limits.forgedEvents ? state.socket : nil
    }
    socket?.close(code: 1008, reason: "too many events with a wrong id or signature")
  }

  /// Notes that a signature check begins. When too much is in progress, the client is not read until half of it is done.
  func checkBegins(_ size: Int) {
    let limits = relay.limits
    let pauses = state.withLock { state -> WebSocket? in
      state.checks += 1
      state.bytes += size
      guard !state.isPaused, state.checks >= limits.eventsInFlight || state.bytes >= limits.bytesInFlight else { return nil }
      state.isPaused = true
      return state.socket
    }
    pauses?.pauseReading()
  }

  func checkEnds(_ size: Int) {
    let limits = relay.limits
    let resumes = state.withLock { state -> WebSocket? in
      state.checks -= 1
      state.bytes -= size
      guard state.isPaused, state.checks <= limits.eventsInFlight / 2, state.bytes <= limits.bytesInFlight / 2 else { return nil }
      state.isPaused = false
      return state.socket
    }
    resumes?.resumeReading()
  }
}
