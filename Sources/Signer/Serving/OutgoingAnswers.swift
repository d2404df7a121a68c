import Platform

/// Answers that may be sent. Those of one sync are sent together, so that the sending thread is woken once.
final class OutgoingAnswers: Sendable {
  private struct Departure: Sendable { let leave: @Sendable () -> Void }

  private let publishing: SigningService.Publishing
  private let waiting = Locked<[Departure]>([])

  init(_ publishing: SigningService.Publishing) { self.publishing = publishing }

  func add(_ leave: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(Departure(leave: leave))
      return waiting.count == 1
    }
    if isFirst { publishing.soon { [self] in leaveAll() } }
  }

  private func leaveAll() {
    let leaving = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for departure in leaving { departure.leave() }
  }
}
