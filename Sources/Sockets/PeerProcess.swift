import CLinux
import Platform

/// A process, such as the one at the other end of a Unix socket, held so that its number cannot come to mean another process unnoticed.
public final class PeerProcess: Sendable {
  /// The process's number, for `/proc`.
  public let id: Int32
  /// A pidfd.
  private let descriptor: Int32

  /// - Returns: nil when the process has ended, or the kernel does not tell.
  init?(of socket: Int32, _ peer: Peer) {
    guard case .unix(let id, _, _) = peer, id > 0 else { return nil }
    descriptor = holdfast_peer_process(socket, id)
    guard descriptor >= 0 else { return nil }
    self.id = id
  }

  /// The process that has this number now. Whoever names the number must make sure that it means no other process already.
  /// - Returns: nil when there is none.
  public init?(id: Int32) {
    descriptor = holdfast_open_process(id)
    guard descriptor >= 0 else { return nil }
    self.id = id
  }

  deinit { close(descriptor) }

  /// Whether it has not ended. As long as it has not, what `/proc` says under its number is about it.
  public var isAlive: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0
  }
}
