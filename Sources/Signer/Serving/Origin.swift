import Platform
package import RemoteSigning
package import Sockets

extension SigningService {
  /// Where a request came from. Its answer is sent back there.
  package struct Origin: Sendable, Hashable {
    /// Nil for the embedded relay.
    package let relay: WebSocketURL?
    /// When the message had been read, in nanoseconds of a clock that never goes back.
    let arrived: UInt64

    package static func embedded(arrived: UInt64 = Clock.monotonicNanoseconds) -> Origin { Origin(relay: nil, arrived: arrived) }
    package static func relay(_ url: WebSocketURL, arrived: UInt64) -> Origin { Origin(relay: url, arrived: arrived) }
    static var embedded: Origin { embedded() }
  }

  /// What the service needs from the relays.
  package struct Publishing: Sendable {
    /// Publishes one answer on the given relays and on the one that the request came from. `done` reports whether any relay
    /// accepted it.
    let send: @Sendable (Reply, Origin?, [RelayURL], @escaping @Sendable (Bool) -> Void) -> Void

    /// Runs a job on the sending thread, and wakes it.
    let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

    package init(
      send: @escaping @Sendable (Reply, Origin?, [RelayURL], @escaping @Sendable (Bool) -> Void) -> Void,
      soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) { (self.send, self.soon) = (send, soon) }
  }
}
