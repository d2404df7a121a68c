import Platform

/// The system's journal, reached by its own socket, with fields instead of a line of text. Needs no library.
package final class JournalSocket: Sendable {
  /// Where systemd-journald listens.
  static let standardPath = "/run/systemd/journal/socket"

  private let descriptor: Int32

  /// - Returns: nil if nothing listens there.
  init?(path: String = standardPath) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    guard UnixSocketAddress(path: path)?.connectSocket(descriptor) == true else {
      Platform.close(descriptor)
      return nil
    }
  }

  deinit { Platform.close(descriptor) }

  /// Sends one line, or drops it if the journal does not take it now: the signer does not wait for the journal.
  func send(_ notice: Notice) -> Bool {
    let bytes = JournalMessage.bytes(notice)
    return Platform.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
