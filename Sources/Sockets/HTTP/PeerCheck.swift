import Platform

/// Asks the kernel about the other end of a connection.
enum PeerCheck {
  /// POLLRDHUP, which is hidden without _GNU_SOURCE: the peer sends nothing more.
  private static let peerClosed: Int16 = 0x2000

  /// Whether the peer has closed its direction, or the connection is broken. Bytes that were not read do not matter.
  static func hasLeft(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: peerClosed, revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
