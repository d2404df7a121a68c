import CPostgreSQL

/// What the server tells a connection without being asked: that another proxy changed something (LISTEN and NOTIFY). A connection pooler such as
/// PgBouncer may drop these notices. They only save time: the heartbeat finds every change without them.
extension PostgresConnection {
  /// Has the server tell this connection, until it is lost, of every change.
  func listen() throws(RegistrationsError) { try run("LISTEN holdfast_push") }

  /// Readable when the server tells something, or closed the connection; nil without a connection.
  var descriptor: Int32? { raw.map { pq.socket($0) }.flatMap { $0 < 0 ? nil : $0 } }

  /// Whether there was a change, or the connection has ended, since the last call. It does not wait.
  func takeNotices() -> Bool {
    guard let raw else { return false }
    guard pq.consumeInput(raw) == 1 else {
      lose()
      return true
    }
    var isNotified = false
    while let one = pq.notifies(raw) {
      isNotified = true
      pq.freemem(one)
    }
    return isNotified
  }
}
