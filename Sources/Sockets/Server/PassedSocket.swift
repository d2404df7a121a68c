import Platform

/// Listening sockets that a service manager passes to this process, as systemd does (sd_listen_fds).
public enum PassedSocket {
  /// The first descriptor of the protocol.
  private static let start: Int32 = 3

  /// The first one; nil when none was passed to this process.
  public static var first: Int32? {
    guard let process = number("LISTEN_PID"), process == Int(getpid()), let count = number("LISTEN_FDS"), count > 0 else {
      return nil
    }
    return start
  }

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
