/// Why a call to the daemon failed.
public enum ControlError: Error, Equatable {
  /// Nothing listens: no daemon runs on this vault, or it was killed and left its socket behind.
  case noDaemon
  /// Another user owns the socket's folder or the socket.
  case notOurs(uid: UInt32)
  /// There was no complete answer within the time.
  /// - Parameter process: the daemon's process; 0 when the system does not report it.
  case timedOut(milliseconds: Int, process: Int32)
  /// The daemon closed the connection before the answer was complete.
  case connectionLost
  case answerTooLong(limit: Int)
  /// The answer is not the HTTP and JSON of a holdfast daemon of this version.
  case answerMalformed
  /// No guarded memory is left for an answer that may hold secrets.
  case outOfMemory
  /// - Parameter code: errno.
  case system(code: Int32)
}
