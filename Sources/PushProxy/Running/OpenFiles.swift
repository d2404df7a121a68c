import CLinux
import Platform
import Sockets

/// How many files and sockets the proxy may have open, and how many of them clients get.
package enum OpenFiles {
  /// The most client connections at once. Behind a reverse proxy they are over after each request.
  static let mostClients = 1_024
  /// What is left to the proxy's own relays, those that pairs name, push services and the store.
  static let reserved = 1_536

  /// Lets the process have as many open as the system allows it, up to what an event loop can hold. Before any other thread is started.
  package static func raise() { holdfast_raise_open_files(UInt(SocketLimits.descriptors)) }

  /// Client connections, by how many files and sockets the process may have open. A fourth of few, so that signers are answered at all.
  static func clients(of limit: Int) -> Int { min(mostClients, max(limit - reserved, limit / 4)) }

  /// The limits of clients in this process.
  static var admission: Admission {
    var limits = Admission.Limits()
    limits.connections = clients(of: max(0, sysconf(Int32(_SC_OPEN_MAX))))
    return Admission(limits)
  }
}

/// Tells the operator, once a minute at most, that a connection had to wait because no descriptor was free.
final class ShortageRemarks: Sendable {
  /// The time between two lines, in milliseconds.
  static let pause: Int64 = 60_000

  private let next = Locked<Int64>(.min)
  private let remark: @Sendable (Remark) -> Void

  init(_ remark: @escaping @Sendable (Remark) -> Void) { self.remark = remark }

  /// - Parameter now: milliseconds of a clock that never goes back.
  func short(now: Int64 = Clock.bootMilliseconds) {
    let isTime = next.withLock { next in
      guard now >= next else { return false }
      next = now + Self.pause
      return true
    }
    guard isTime else { return }
    remark(
      .trouble(
        """
        No file descriptor is free, so clients wait, and relays and push services may not be reached. Allow more: LimitNOFILE= in the unit, or \
        ulimit -n.
        """))
  }
}
