import Encodings
import Nostr
import Platform
import Sockets

/// The answers on their way to one relay: those that wait for its OK, and those that wait for the connection.
final class Deliveries: @unchecked Sendable {  // Sendable: used on the loop thread only
  /// Answers that wait for the connection. Beyond it, the oldest is dropped.
  static let maximumQueued = 256
  /// Answers in progress for one relay, in whatever state. Further ones fail at once.
  static let maximumHeld = 2_048
  /// The same in bytes of content.
  static let maximumHeldBytes = 32 << 20

  private unowned let connection: RelayConnection  // reason: the connection owns this, and timers hold it while they use it
  private var awaiting: [Bytes32: Delivery] = [:]
  private var isWatching = false
  private var queued: [Delivery] = []
  private var held = (count: 0, bytes: 0)

  init(of connection: RelayConnection) { self.connection = connection }

  /// Whether no answer waits for the relay's OK.
  var isSettled: Bool { awaiting.isEmpty }

  /// Gives up what is left.
  func end() {
    let left = awaiting.values + queued
    (awaiting, queued) = ([:], [])
    for delivery in left { settle(delivery, taken: false) }
  }

  func publish(_ event: Event, _ publication: Publication) {
    let delivery = Delivery(event, publication)
    guard held.count < Self.maximumHeld, held.bytes <= Self.maximumHeldBytes - min(Self.maximumHeldBytes, delivery.bytes) else {
      connection.note { $0.refused += 1 }
      return publication.settled(taken: false)
    }
    held = (held.count + 1, held.bytes + delivery.bytes)
    send(delivery)
  }

  /// Ends every delivery, exactly once.
  private func settle(_ delivery: Delivery, taken: Bool) {
    delivery.timer?.cancel()
    held = (held.count - 1, held.bytes - delivery.bytes)
    delivery.publication.settled(taken: taken)
  }

  private func send(_ delivery: Delivery) {
    guard connection.send(delivery.event) else { return queue(delivery) }
    delivery.sentAt = Clock.bootMilliseconds
    awaiting[delivery.event.id] = delivery
    watchForAnswers()
  }

  // One timer for all answers, checked eight times within their time limit. A timer for each answer would outlive it by far, and
  // thousands would exist at once.
  private func watchForAnswers() {
    guard !isWatching else { return }
    isWatching = true
    let wait = max(1, connection.pool.timing.okWithin / 8)
    _ = connection.pool.loop.after(milliseconds: wait) { [weak connection] in connection?.deliveries.giveUpOverdue() }
  }

  private func giveUpOverdue() {
    isWatching = false
    let (now, limit) = (Clock.bootMilliseconds, Int64(connection.pool.timing.okWithin))
    let overdue = awaiting.filter { $0.value.sentAt.map { now - $0 >= limit } ?? true }
    for id in overdue.keys { noAnswer(id) }
    if !awaiting.isEmpty { watchForAnswers() }
  }

  private func queue(_ delivery: Delivery) {
    guard !connection.isEnded else { return settle(delivery, taken: false) }
    if queued.count >= Self.maximumQueued { settle(queued.removeFirst(), taken: false) }
    queued.append(delivery)
    let wait = connection.pool.timing.queuedWithin
    delivery.timer = connection.pool.loop.after(milliseconds: wait) { [weak connection, weak delivery] in
      if let connection, let delivery { connection.deliveries.giveUpQueued(delivery) }
    }
  }

  private func giveUpQueued(_ delivery: Delivery) {
    guard let index = queued.firstIndex(where: { $0 === delivery }) else { return }
    queued.remove(at: index)
    refused(delivery)
  }

  /// What was sent but not acknowledged before the connection broke may be lost. It is sent again as a new event.
  func requeueAwaiting() {
    let lost = awaiting.values
    awaiting = [:]
    for delivery in lost {
      delivery.timer?.cancel()
      queue(delivery)
    }
  }

  func sendQueued() {
    let waiting = queued
    queued = []
    for delivery in waiting {
      delivery.timer?.cancel()
      sendAgain(delivery)
    }
  }

  private func sendAgain(_ delivery: Delivery) {
    guard let fresh = delivery.publication.refresh() else { return refused(delivery) }
    delivery.event = fresh
    send(delivery)
  }

  private func noAnswer(_ id: Bytes32) {
    guard let delivery = awaiting.removeValue(forKey: id) else { return }
    refused(delivery)
  }

  private func refused(_ delivery: Delivery) {
    connection.note { $0.refused += 1 }
    settle(delivery, taken: false)
  }

  /// - Returns: false for an OK that matches no answer.
  func answered(_ id: Bytes32, accepted: Bool, message: String) -> Bool {
    guard let delivery = awaiting.removeValue(forKey: id) else { return false }
    delivery.timer?.cancel()
    let refusal = accepted ? nil : Refusal(message)
    switch refusal {
    case nil, .duplicate?: taken(delivery)
    case .later?: retry(delivery, message)
    case .authenticate?: queue(delivery)
    case .final?:
      connection.note { $0.lastNotice = RelayClient.shown(message) }
      refused(delivery)
    }
    return true
  }

  private func taken(_ delivery: Delivery) {
    let elapsed = delivery.sentAt.map { Int(clamping: Clock.bootMilliseconds - $0) }
    let now = connection.pool.hooks.now()
    connection.note { health in
      health.published += 1
      health.lastOK = elapsed
      if let elapsed { health.history.accepted(after: elapsed, at: now) }
    }
    settle(delivery, taken: true)
  }

  private func retry(_ delivery: Delivery, _ message: String) {
    connection.note { $0.lastNotice = RelayClient.shown(message) }
    guard delivery.attempt < connection.pool.timing.retries.count, !connection.isEnded else { return refused(delivery) }
    let wait = connection.pool.timing.retries[delivery.attempt]
    delivery.attempt += 1
    // The timer holds the delivery, which is in neither list meanwhile.
    delivery.timer = connection.pool.loop.after(milliseconds: wait) { [weak connection] in
      guard let connection else { return delivery.publication.settled(taken: false) }
      connection.deliveries.retryNow(delivery)
    }
  }

  private func retryNow(_ delivery: Delivery) {
    guard !connection.isEnded else { return settle(delivery, taken: false) }
    sendAgain(delivery)
  }
}
