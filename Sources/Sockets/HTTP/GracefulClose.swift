import COpenSSL
import CWebSockets
import Platform
import SecretMemory

/// Ends a connection after its last answer.
///
/// The peer is told that nothing follows. What it still sends is dropped for a moment: if a socket is closed with unread bytes,
/// the kernel sends a reset, which can destroy an answer that is still on its way.
enum GracefulClose {
  /// How often the socket is checked before it is closed, whatever the peer does: about two seconds.
  static let patience = 200
  /// The same, for a connection that keeps the loop busy.
  static let shortPatience = 5
  private static let waitMilliseconds = 10
  /// Bytes that are dropped at each check. The kernel slows down a peer that sends more.
  private static let droppedAtOnce = 256 * 1024

  /// Call it outside of callbacks only. libwebsockets must not be reading the connection.
  static func begin(_ session: Session, patience: Int) {
    guard let wsi = session.wsi else { return }
    if let tls = lws_get_ssl(wsi) {
      SSL_shutdown(tls)
      ERR_clear_error()
    }
    shutdown(lws_get_socket_fd(wsi), Int32(SHUT_WR))
    // This ends the time limit of the answer, not the connection.
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(SocketLimits.closeSeconds))
    look(session, patience)
  }

  private static func look(_ session: Session, _ patience: Int) {
    guard let wsi = session.wsi else { return }
    guard patience > 0, drop(lws_get_socket_fd(wsi), &session.loop.scratch) else { return session.kill() }
    session.loop.after(milliseconds: waitMilliseconds) { [weak session] in
      if let session { look(session, patience - 1) }
    }
  }

  /// - Returns: false if the peer has closed its side.
  private static func drop(_ descriptor: Int32, _ scratch: inout Scratch) -> Bool {
    let room = 16 * 1024
    return scratch.withRoom(for: room) { start in
      var dropped = 0
      defer { wipe(UnsafeMutableRawBufferPointer(start: start, count: min(room, dropped))) }  // it may be a passphrase
      while dropped < droppedAtOnce {
        let count = recv(descriptor, start, room, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        dropped += count
      }
      return true
    }
  }
}
