package import AuditLog
package import Nostr
import Platform
package import RemoteSigning
package import SecretMemory
package import Signer

/// The relays as a list of what was published: the only part of the signer that is not real in these tests.
package final class StubRelay: Sendable {
  /// One answer, and what stood in the log on the disk in the moment it came.
  package struct Sent: Sendable {
    package let event: Event
    package let origin: SigningService.Origin?
    package let relays: [RelayURL]
    package let log: [AuditRecord]
  }

  private struct State {
    var sent: [Sent] = []
    var takes = true
  }

  private let state = Locked(State())
  private let logFolder: String

  private let key: SecretBox

  package init(logFolder: String, key: SecretBox) { (self.logFolder, self.key) = (logFolder, key) }

  package var publishing: SigningService.Publishing {
    .init { [self] reply, origin, relays, done in
      let log = (try? AuditReader(folder: logFolder, key: key).tail(1000)) ?? []
      let takes = state.change { state in
        state.sent.append(Sent(event: reply.event, origin: origin, relays: relays, log: log))
        return state.takes
      }
      done(takes)
    }
  }

  /// Whether answers are taken from now on.
  package func take(_ takes: Bool) { state.withLock { $0.takes = takes } }

  package var sent: [Sent] { state.withLock { $0.sent } }

  /// Waits for so many answers in all: long, because a sanitizer with all other tests beside it takes minutes for some hundred.
  package func sent(_ count: Int) -> [Sent]? { state.wait(milliseconds: 300_000) { $0.sent.count >= count ? $0.sent : nil } }
}
