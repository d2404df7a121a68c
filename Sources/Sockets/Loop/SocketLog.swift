import CWebSockets
import Platform

/// Where log lines of libwebsockets go. By default they are dropped, and nothing is written to standard error.
public enum SocketLog {
  private static let sink = Locked<Receiver?>(nil)
  // Kept in a struct: a closure stored directly in a `Locked` is wrapped again at each access.
  private struct Receiver: Sendable { let take: @Sendable (String) -> Void }

  /// Sends each warning and error of libwebsockets to `receiver`, on the loop thread. Nil drops them.
  ///
  /// The lines may contain names of hosts and files, never bytes of a message.
  public static func send(to receiver: (@Sendable (String) -> Void)?) {
    sink.withLock { $0 = receiver.map(Receiver.init) }
    route(LLL_ERR | LLL_WARN)
  }

  static func silence() { route(sink.withLock { $0 == nil } ? 0 : LLL_ERR | LLL_WARN) }

  private static func route(_ level: Int32) {
    lws_set_log_level(level) { _, line in
      guard let line, let receiver = SocketLog.sink.withLock({ $0 }) else { return }
      receiver.take(String(cString: line))
    }
  }
}
