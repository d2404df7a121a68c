import Nostr
import Platform
import Relays
import RemoteSigning
import Signer
import Sockets

/// The answers that the signing service made, until the thread that has the connections sends them.
final class PreparedAnswers: Sendable {
  private struct Answer: Sendable {
    let reply: Reply
    let relays: [RelayURL]
    let done: @Sendable (Bool) -> Void
  }

  private let waiting = Locked<[Answer]>([])

  /// What the signing service sends its answers to.
  var publishing: SigningService.Publishing {
    SigningService.Publishing(send: { [self] reply, _, relays, done in
      waiting.change { $0.append(Answer(reply: reply, relays: relays, done: done)) }
    })
  }

  /// Whether there is one, now or within the time.
  func areThere(within milliseconds: Int) -> Bool {
    waiting.wait(milliseconds: milliseconds) { $0.isEmpty ? nil : true } ?? false
  }

  /// Sends what was made so far: on the relay that the request came from, and on the app's other relays if that one does not take it.
  /// - Returns: whether each answer was taken by a relay; true if there was none.
  func send(_ relays: RelaySessions, from origin: WebSocketURL) -> Bool {
    var areTaken = true
    while let answer = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      let others = answer.relays.compactMap { try? WebSocketURL(parsing: $0.text) }.filter { $0 != origin }
      let isTaken = relays.publish(answer.reply.event, on: [origin] + others)
      answer.done(isTaken)
      areTaken = areTaken && isTaken
    }
    return areTaken
  }
}
