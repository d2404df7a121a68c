import CPostgreSQL
import Platform

/// What a proxy's connections to its database have in common: the address, which of its hosts answered last, and how long they wait.
final class PostgresServer: Sendable {
  /// How long a host may take to let a connection in, in milliseconds.
  static let connecting: Int64 = 5_000
  /// The longest wait once the proxy is to end, in milliseconds.
  static let ending: Int64 = 2_000
  /// How often a thread that waits looks whether the proxy is to end, in milliseconds.
  private static let slice: Int64 = 100

  private struct State {
    var host = 0
    var endingSince: Int64?
  }

  let pq: holdfast_pq
  private let address: PostgresAddress
  private let state = Locked(State())

  init(_ address: PostgresAddress) throws(RegistrationsError) {
    guard let pq = PostgresLibrary.shared else { throw .database(.noLibrary) }
    (self.pq, self.address) = (pq, address)
  }

  /// Connects to the first host that accepts a connection. It starts with the host that accepted the last one.
  /// - Parameter longest: milliseconds that an answer may take. The server gives a statement up a little earlier.
  /// - Throws: the first error that a host reported; `.away` if none answered.
  func connect(_ longest: Int64) throws(PostgresFault) -> OpaquePointer {
    let hosts = try PostgresHosts(pq, address)
    let first = state.withLock { $0.host }
    var told = PostgresFault.away
    for index in hosts.all.indices.map({ ($0 + first) % hosts.all.count }) {
      do throws(PostgresFault) {
        let made = try PostgresConnecting(server: self, address: address, host: hosts.all[index], longest: longest).connect()
        state.withLock { $0.host = index }
        return made
      } catch { if told == .away { told = error } }
    }
    throw told
  }

  // MARK: waiting

  /// The proxy is about to end: from now on, no connection waits longer than two seconds for an answer.
  func end() { state.withLock { $0.endingSince = $0.endingSince ?? Clock.bootMilliseconds } }

  /// A time limit for one answer, which starts now.
  func patience(milliseconds: Int64) -> Patience {
    Patience(server: self, start: Clock.bootMilliseconds, milliseconds: milliseconds)
  }

  struct Patience {
    fileprivate let server: PostgresServer
    fileprivate let start: Int64
    fileprivate let milliseconds: Int64

    /// Waits for a descriptor.
    /// - Returns: false when the time is over, or if the descriptor is invalid.
    func wait(_ descriptor: Int32, _ events: Int16) -> Bool {
      guard descriptor >= 0 else { return false }
      var one = pollfd(fd: descriptor, events: events, revents: 0)
      while left > 0 { if poll(&one, 1, Int32(clamping: min(left, PostgresServer.slice))) > 0 { return true } }
      return false
    }

    /// The time that is left, in milliseconds.
    var left: Int64 {
      let end = server.state.withLock { $0.endingSince }.map { max($0, start) + PostgresServer.ending }
      return min(start + milliseconds, end ?? .max) - Clock.bootMilliseconds
    }
  }
}
