internal import Encodings
internal import Locks
internal import Nostr
internal import Sockets

/// One connection to the embedded relay.
final class RelayClient: WebSocketHandler {
  private struct Flow {
    var tokens: Int
    var filledAt: Int64
    var events = 0
    var bytes = 0
    var isPaused = false
  }

  private let relay: EmbeddedRelay
  private let flow: Locked<Flow>

  init(_ relay: EmbeddedRelay) {
    self.relay = relay
    flow = Locked(Flow(tokens: relay.limits.eventBurst, filledAt: relay.hooks.now()))
  }

  func opened(_ webSocket: WebSocket) {}

  func closed(_ webSocket: WebSocket, reason: CloseReason) {
    relay.state.withLock { state in
      state.connections -= 1
      state.subscriptions.removeAll(of: webSocket)
    }
  }

  func received(_ webSocket: WebSocket, text: [UInt8]) {
    let limits = relay.limits
    let parsing = EventLimits(
      bytes: limits.messageBytes, content: limits.messageBytes, tags: limits.tags, tagItems: limits.tags * 8,
      filters: limits.filters, filterValues: limits.filterValues)
    do throws(EventError) {
      switch try ClientMessage(parsing: text, limits: parsing) {
      case .event(let event): take(event, size: text.count, webSocket)
      case .request(let name, let filters): subscribe(name, filters, webSocket)
      case .close(let name): relay.state.withLock { $0.subscriptions.remove(name, of: webSocket) }
      case .auth(let event): reply(webSocket, event.id, false, "restricted: this relay asks nobody to log in")
      }
    } catch {
      webSocket.send(RelayMessage.notice("invalid: this is no message of NIP-01, or it is above a limit").json())
    }
  }

  // MARK: events

  private func take(_ event: Event, size: Int, _ webSocket: WebSocket) {
    guard event.kind == 24133 else {
      return reply(webSocket, event.id, false, "blocked: this relay is for remote signing; it takes kind 24133 only")
    }
    let now = relay.hooks.now()
    let (difference, overflow) = now.subtractingReportingOverflow(event.createdAt)
    guard !overflow, difference.magnitude <= UInt64(relay.limits.clockDifference) else {
      return reply(webSocket, event.id, false, "invalid: created_at is more than \(relay.limits.clockDifference) seconds off")
    }
    guard !event.tagValues("p").isEmpty else { return reply(webSocket, event.id, false, "invalid: there is no p tag") }
    guard relay.takesEvents else { return reply(webSocket, event.id, false, "error: the signer is stopping") }
    guard hasToken(now) else { return reply(webSocket, event.id, false, "rate-limited: slow down") }
    guard !relay.state.withLock({ $0.kept.contains(event.id) }) else {
      return reply(webSocket, event.id, true, "duplicate: this event is here already")
    }
    verify(event, size, webSocket)
  }

  // The check costs 50 µs: it is a worker's, not the event loop's. Until it is done the event counts as under way, and a client
  // that has too much under way is not read.
  private func verify(_ event: Event, _ size: Int, _ webSocket: WebSocket) {
    begin(size, webSocket)
    let isQueued = relay.hooks.work { [self] in
      defer { end(size, webSocket) }
      guard event.hasCorrectID, event.hasValidSignature else {
        return reply(webSocket, event.id, false, "invalid: the id or the signature is wrong")
      }
      guard relay.accept(event) else { return reply(webSocket, event.id, true, "duplicate: this event is here already") }
      reply(webSocket, event.id, true, "")
      relay.hooks.deliver(event)
    }
    guard !isQueued else { return }
    end(size, webSocket)
    reply(webSocket, event.id, false, "rate-limited: the signer is busy")
  }

  private func reply(_ webSocket: WebSocket, _ id: Bytes32, _ accepted: Bool, _ message: String) {
    webSocket.send(RelayMessage.ok(id: id, accepted: accepted, message: message).json())
  }

  // MARK: flow

  private func hasToken(_ now: Int64) -> Bool {
    flow.withLock { flow in
      if now > flow.filledAt {
        let seconds = Int(min(now - flow.filledAt, 3600))
        flow.tokens = min(relay.limits.eventBurst, flow.tokens + seconds * relay.limits.eventsPerSecond)
      }
      flow.filledAt = now
      guard flow.tokens > 0 else { return false }
      flow.tokens -= 1
      return true
    }
  }

  private func begin(_ size: Int, _ webSocket: WebSocket) {
    let mustPause = flow.withLock { flow in
      flow.events += 1
      flow.bytes += size
      guard !flow.isPaused, flow.events >= relay.limits.eventsInFlight || flow.bytes >= relay.limits.bytesInFlight else {
        return false
      }
      flow.isPaused = true
      return true
    }
    if mustPause { webSocket.pauseReading() }
  }

  private func end(_ size: Int, _ webSocket: WebSocket) {
    let mayResume = flow.withLock { flow in
      flow.events -= 1
      flow.bytes -= size
      guard flow.isPaused, flow.events <= relay.limits.eventsInFlight / 2, flow.bytes <= relay.limits.bytesInFlight / 2 else {
        return false
      }
      flow.isPaused = false
      return true
    }
    if mayResume { webSocket.resumeReading() }
  }

  // MARK: subscriptions

  private func subscribe(_ name: String, _ filters: [Filter], _ webSocket: WebSocket) {
    let limits = relay.limits
    guard name.utf8.count <= limits.subscriptionName, !name.isEmpty else {
      return close(
        webSocket, String(name.prefix(limits.subscriptionName)),
        "invalid: a subscription's name has 1 to \(limits.subscriptionName) letters")
    }
    let now = relay.hooks.now()
    // Registered before the stored events go out, so that none falls between; one may come twice, which clients must bear.
    let stored = relay.state.withLock { state -> [KeptEvents.Kept]? in
      guard state.subscriptions.has(name, of: webSocket) || state.subscriptions.count(of: webSocket) < limits.subscriptions else {
        return nil
      }
      state.subscriptions.set(name, of: webSocket, filters: filters)
      state.kept.prune(now: now)
      var sent: Set<Bytes32> = []
      return filters.flatMap { state.kept.matching($0, now: now) }.filter { sent.insert($0.event.id).inserted }
    }
    guard let stored else {
      return close(webSocket, name, "error: a connection has at most \(limits.subscriptions) subscriptions")
    }
    for kept in stored { webSocket.send(EmbeddedRelay.eventMessage(name, kept.json)) }
    webSocket.send(RelayMessage.endOfStored(subscription: name).json())
  }

  private func close(_ webSocket: WebSocket, _ name: String, _ message: String) {
    webSocket.send(RelayMessage.closed(subscription: name, message: message).json())
  }
}
