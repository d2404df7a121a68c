import Curve
import Encodings
import Nostr
import Platform
import Sockets

/// One relay of a pool. It connects, subscribes, publishes, and reconnects when the connection is lost.
final class RelayConnection: @unchecked Sendable {  // Sendable: `shared`, `inFlight` are locked; the rest is the loop thread's
  /// Keys in one subscription; more are split.
  static let keysPerSubscription = 500
  /// Events that the owner has not handled, before reading stops. It continues at half of this number.
  static let maximumInFlight = 512
  static let resumeInFlight = 256
  /// The same in bytes. Reading continues at half of it.
  static let maximumInFlightBytes = 8 << 20
  /// Login challenges that are answered within a minute. Each costs a signature for every key.
  static let loginsPerMinute = 6
  /// Messages of a relay within a minute that change nothing. Beyond it, the connection is ended.
  static let uselessPerMinute = 6_000
  /// Events within a minute that were delivered before, usually by another relay. Beyond it, they count as messages that change
  /// nothing.
  static let copiesPerMinute = 600_000
  /// How far back a subscription reaches, in seconds. It covers requests sent while we were disconnected, on relays that store
  /// them, and those of apps whose clock is behind. Relays apply it to live events, too. Older requests are refused for their age
  /// anyway.
  static let lookBack: Int64 = 300

  let url: WebSocketURL
  unowned let pool: RelayPool  // reason: the pool owns its connections and outlives them
  private let shared: Locked<RelayHealth>
  private let inFlight = Locked(InFlight())

  private var socket: WebSocket?
  private(set) var isEnded = false
  private var failures = 0
  private var openedAt: Int64?
  private var reconnect: Timer?
  private var subscriptions = 0
  private var closings = 0  // CLOSED messages since the last EOSE
  private var resubscribe: Timer?
  private var unanswered: Set<String> = []  // subscriptions without EOSE so far
  private var patience: Timer?
  var stored: [String: StoredPages] = [:]  // what is read of stored events, by subscription
  var reading = 0  // how often reading was begun anew
  private(set) var isSubscribed = false
  private var login = Login()
  private var whenReady: [() -> Void] = []
  private(set) lazy var deliveries = Deliveries(of: self)
  private var challenges = MinuteLimit()
  private var useless = MinuteLimit()
  private var copies = MinuteLimit()
  /// Why this side ended the connection. Nil if it did not.
  private var leftBecause: String?

  init(_ url: WebSocketURL, _ pool: RelayPool) {
    (self.url, self.pool) = (url, pool)
    shared = Locked(RelayHealth(url: url.text, now: pool.hooks.now()))
  }

  /// Whether no answer waits for this relay's OK. For the loop thread.
  var isSettled: Bool { deliveries.isSettled }

  var health: RelayHealth { shared.withLock { $0 } }

  func note(_ change: (inout RelayHealth) -> Void) { shared.withLock { change(&$0) } }

  private func enter(_ state: RelayHealth.State) {
    let now = pool.hooks.now()
    note { health in
      (health.state, health.since) = (state, now)
      switch state {
      case .connected: health.awaySince = nil
      case .waiting: health.awaySince = health.awaySince ?? now
      case .connecting: break  // a further try changes nothing yet
      }
    }
    if state != .connecting { pool.hooks.changed(url) }
  }

  // MARK: connecting

  func begin() {
    guard !isEnded else { return }
    enter(.connecting)
    socket = pool.connect(to: url, self)
  }

  /// Connects without further waiting if only the owner's permission was missing.
  func beginIfAllowedNow() {
    guard socket == nil, health.isRefusedInside, pool.hooks.mayReachInside(url) else { return }
    reconnect?.cancel()
    failures = 0
    begin()
  }

  func end() {
    isEnded = true
    reconnect?.cancel()
    stopWaiting()
    forgetResubscribing()
    login.timer?.cancel()
    socket?.close()
    deliveries.end()
    ready()
  }

  private func lost(_ reason: CloseReason) {
    socket = nil
    isSubscribed = false
    leavePages()
    forgetResubscribing()
    stopWaiting()
    login.timer?.cancel()
    login = Login()
    // A relay that accepts a connection and drops it at once counts as failing.
    if let openedAt, Clock.monotonicMilliseconds - openedAt >= Int64(pool.timing.stableAfter) { failures = 0 }
    let (wasOpen, now) = (openedAt != nil, pool.hooks.now())
    openedAt = nil
    guard !isEnded else { return }
    if wasOpen { note { $0.history.lost(at: now) } }
    let isInside = if case .insideNetwork = reason { true } else { false }
    note { [leftBecause] in
      ($0.lastError, $0.isRefusedInside, $0.refusal, $0.subscriptions) = (leftBecause ?? "\(reason)", isInside, nil, .asked)
    }
    leftBecause = nil
    enter(.waiting)
    ready()  // callers that wait for this relay do not wait for its reconnect
    deliveries.requeueAwaiting()
    let wait = pool.timing.reconnect(after: failures)
    failures += 1
    reconnect = pool.loop.after(milliseconds: wait) { [weak self] in self?.begin() }
  }

  // MARK: subscribing

  /// Sends the subscriptions, or replaces them. A request with a known id replaces the one before it (NIP-01).
  func subscribe() {
    guard let socket, socket.isOpen else { return }
    forgetResubscribing()
    leavePages()
    let keys = pool.keys(of: url).map(\.hex)
    let chunks = stride(from: 0, to: keys.count, by: Self.keysPerSubscription).map {
      Array(keys[$0..<min($0 + Self.keysPerSubscription, keys.count)])
    }
    let since = max(0, pool.hooks.now() - pool.subscription.lookBack)
    unanswered = Set(chunks.indices.map { "hf\($0)" })
    isSubscribed = false  // not yet for the keys that were just added
    for (index, chunk) in chunks.enumerated() {
      let filter = Filter(kinds: pool.subscription.kinds, since: since, tags: ["p": chunk])
      if pool.subscription.readsAllStored { stored["hf\(index)"] = StoredPages(filter) }
      socket.send(ClientMessage.request(subscription: "hf\(index)", filters: [filter]).json())
    }
    for index in chunks.count..<max(chunks.count, subscriptions) {
      socket.send(ClientMessage.close(subscription: "hf\(index)").json())
    }
    subscriptions = chunks.count
    if chunks.isEmpty { subscribed() } else { waitForAnswer() }
  }

  /// Waits once, however often it is subscribed anew meanwhile.
  private func waitForAnswer() {
    guard patience == nil else { return }
    patience = pool.loop.after(milliseconds: pool.timing.confirmedWithin) { [weak self] in
      guard let self else { return }
      patience = nil
      if !isSubscribed { heard(.unanswered) }
    }
  }

  private func stopWaiting() {
    patience?.cancel()
    patience = nil
  }

  private func heard(_ subscriptions: RelayHealth.Subscriptions) {
    guard shared.withLock({ $0.subscriptions }) != subscriptions else { return }
    note { $0.subscriptions = subscriptions }
    pool.hooks.changed(url)
  }

  private func forgetResubscribing() {
    resubscribe?.cancel()
    resubscribe = nil
  }

  func whenSubscribed(_ body: @escaping () -> Void) {
    if isSubscribed { body() } else { whenReady.append(body) }
  }

  private func subscribed() {
    isSubscribed = true
    stopWaiting()
    refused(nil)
    heard(.confirmed)
    ready()
  }

  private func ready() {
    let waiting = whenReady
    whenReady = []
    for body in waiting { body() }
  }

  // MARK: publishing

  func publish(_ event: Event, _ publication: Publication) { deliveries.publish(event, publication) }

  /// - Returns: false when there is no connection, or no room in it.
  func send(_ event: Event) -> Bool { send(.event(event)) }

  @discardableResult
  func send(_ message: ClientMessage) -> Bool {
    guard let socket, socket.isOpen else { return false }
    return socket.send(message.json())
  }

  // MARK: what the relay says

  /// - Returns: false for a message that changes nothing. New events have their own limit.
  private func heard(_ message: RelayMessage, _ size: Int) -> Bool {
    switch message {
    case .event(let name, let event):
      stored[name]?.arrived(event)
      return arrived(event, size)
    case .ok(let id, let accepted, let text):
      guard login.waiting.remove(id) != nil else { return deliveries.answered(id, accepted: accepted, message: text) }
      loggedIn(accepted, text)
    case .endOfStored(let name): return endOfStored(name)
    case .closed(let name, let text): return closed(name, text)
    case .notice(let text):
      note { $0.lastNotice = RelayClient.shown(text) }
      return false
    case .auth(let challenge):
      guard challenges.take(Self.loginsPerMinute) else { return false }
      authenticate(challenge)
    }
    return true
  }

  /// - Returns: false for an event of a kind that was not requested, and for too many copies.
  private func arrived(_ event: Event, _ size: Int) -> Bool {
    guard pool.subscription.kinds.contains(event.kind) else { return false }
    guard pool.recent.insert(event) else { return copies.take(Self.copiesPerMinute) }
    note { $0.received += 1 }
    if inFlight.withLock({ $0.begin(size) }) { socket?.pauseReading() }
    pool.hooks.deliver(event, url) { [self] in
      if inFlight.withLock({ $0.end(size) }) { pool.loop.post { [self] in socket?.resumeReading() } }
    }
    return true
  }

  private func endOfStored(_ name: String) -> Bool {
    let wasPage = readOn(after: name)
    guard unanswered.remove(name) != nil else { return wasPage }
    guard unanswered.isEmpty else { return true }
    closings = 0
    subscribed()
    return true
  }

  // Handles a subscription that the relay ended. It may work after a login; otherwise it is tried again after a while. A relay
  // that repeats CLOSED does not change that time.
  private func closed(_ name: String, _ text: String) -> Bool {
    guard !StoredPages.isLater(name) else { return stored.removeValue(forKey: name) != nil }
    guard (0..<subscriptions).contains(where: { name == "hf\($0)" }) else { return false }
    note { $0.lastNotice = RelayClient.shown(text) }
    isSubscribed = false
    if Refusal(text) == .authenticate {
      guard let challenge = login.challenge, login.waiting.isEmpty, login.keys != pool.keys(of: url) else {
        refused(text)
        return false
      }
      authenticate(challenge)
      return true
    }
    refused(text)
    guard resubscribe == nil else { return false }
    resubscribe = pool.loop.after(milliseconds: pool.timing.reconnect(after: closings)) { [weak self] in self?.subscribe() }
    closings += 1
    return true
  }

  private func refused(_ text: String?) {
    let isNews = (shared.withLock { $0.refusal } == nil) != (text == nil)
    note { $0.refusal = text.map(RelayClient.shown) }
    if isNews { pool.hooks.changed(url) }
  }

  // MARK: logging in

  private func authenticate(_ challenge: String) {
    guard let socket, challenge.utf8.count <= NIP42.longestChallenge else { return }
    let answers = pool.hooks.authenticate(url, challenge)
    login.timer?.cancel()
    login = Login(challenge: challenge, keys: pool.keys(of: url), waiting: Set(answers.map(\.id)))
    for event in answers { socket.send(ClientMessage.auth(event).json()) }
    // Some relays do not answer a login with OK, as they should. Continue as if it had been accepted.
    login.timer = pool.loop.after(milliseconds: pool.timing.okWithin) { [weak self] in
      guard let self, !self.login.waiting.isEmpty else { return }
      self.login.waiting = []
      self.loggedIn(true, "")
    }
  }

  /// Handles the answer to one of our logins. After the last one, everything that was refused for lack of a login is requested
  /// again.
  private func loggedIn(_ accepted: Bool, _ text: String) {
    if accepted { login.isAccepted = true } else { note { $0.lastNotice = RelayClient.shown(text) } }
    guard login.waiting.isEmpty else { return }
    login.timer?.cancel()
    guard login.isAccepted else { return }
    subscribe()
    deliveries.sendQueued()
  }
}

extension RelayConnection: WebSocketHandler {
  func opened(_ webSocket: WebSocket) {
    guard !isEnded else { return webSocket.close() }
    openedAt = Clock.monotonicMilliseconds
    if inFlight.withLock({ $0.isPaused }) { webSocket.pauseReading() }
    enter(.connected)
    note { $0.connects += 1 }
    subscribe()
    deliveries.sendQueued()
  }

  func received(_ webSocket: WebSocket, text: [UInt8]) {
    if let message = try? RelayMessage(parsing: text), heard(message, text.count) { return }
    guard !useless.take(Self.uselessPerMinute) else { return }
    leftBecause = "it sent more than \(Self.uselessPerMinute) messages within a minute that change nothing"
    webSocket.close()
  }

  func closed(_ webSocket: WebSocket, reason: CloseReason) { lost(reason) }
}
