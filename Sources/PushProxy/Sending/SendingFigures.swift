/// What happened to the wakes of one kind of device since the start, in the words of the health page.
package struct SendingFigures: Sendable, Equatable {
  /// Connections that answered.
  package private(set) var sessionConnects = 0
  /// Connections that were lost, ended by the service, or given up because they did not answer.
  package private(set) var sessionInvalidations = 0
  /// Wakes that the service took.
  package private(set) var sendOk = 0
  /// Wakes that were given up.
  package private(set) var sendFail = 0
  /// Attempts that were made again.
  package private(set) var sendRetried = 0
  /// When the service last took a wake, in seconds since 1970.
  package private(set) var lastSendAt: Int64?
  /// When an attempt last failed, in seconds since 1970.
  package private(set) var lastFailureAt: Int64?
  /// Why, in words of our own or one of Apple's.
  package private(set) var lastFailureReason: String?
  /// Whether the connection answered last time.
  package private(set) var sessionAlive = false
  private var sessionSince: Int64 = 0

  /// How long the connection has stood, in seconds; nil when there is none.
  package func sessionAgeSeconds(now: Int64) -> Int64? { sessionAlive ? max(0, now - sessionSince) : nil }

  /// Notes an answer.
  /// - Parameter isNew: whether its connection was opened for it.
  mutating func answered(isNew: Bool, now: Int64) {
    if isNew {
      if sessionAlive { sessionInvalidations += 1 }  // the service ended the one before (GOAWAY)
      sessionConnects += 1
      sessionSince = now
    } else if !sessionAlive {
      sessionSince = now
    }
    sessionAlive = true
  }

  /// Notes that the connection was lost or given up.
  mutating func lostSession() {
    if sessionAlive { sessionInvalidations += 1 }
    sessionAlive = false
  }

  /// Notes the result of an attempt.
  mutating func settled(_ outcome: WakeOutcome, isOver: Bool, now: Int64) {
    if outcome == .delivered { (sendOk, lastSendAt) = (sendOk + 1, now) }
    if !isOver { sendRetried += 1 }
    guard let failure = outcome.failure else { return }
    (lastFailureAt, lastFailureReason) = (now, failure)
    if isOver { sendFail += 1 }
  }
}
