/// Why a call to the daemon gave no answer.
public enum ControlError: Error, Equatable {
  /// Nobody listens: no daemon runs on this vault, or it was killed and left its socket behind.
  case noDaemon
  /// The socket's folder or the socket is another user's.
  case notOurs(uid: UInt32)
  /// No whole answer within the time.
  /// - Parameter process: the daemon's, 0 when the system does not tell.
  case timedOut(milliseconds: Int, process: Int32)
  /// The daemon closed the connection before the answer was whole.
  case connectionLost
  case answerTooLong(limit: Int)
  /// Not the HTTP and JSON that a holdfast daemon of this version speaks.
  case answerMalformed
  /// No guarded memory is left for an answer that may hold secrets.
  case outOfMemory
  /// - Parameter code: errno.
  case system(code: Int32)
}
