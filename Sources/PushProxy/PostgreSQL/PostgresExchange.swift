import CPostgreSQL
import Platform

/// A statement and its answer, within a time. libpq's own calls wait as long as the network seems to stand, which may be forever.
struct PostgresExchange {
  let pq: holdfast_pq
  /// In libpq's nonblocking mode.
  let raw: OpaquePointer
  let patience: PostgresServer.Patience

  /// - Parameter send: hands the statement to libpq, and returns 1 if it took it.
  /// - Returns: the last result, for `PostgresResult`. Nil when it did not come in time, or the connection is lost: it must not be used again.
  func answer(_ send: (OpaquePointer) -> Int32) -> OpaquePointer? {
    var last: OpaquePointer?
    guard send(raw) == 1, isSent() else { return nil }
    while hasCome() {
      guard let next = pq.getResult(raw) else { return last }
      pq.clear(last)
      last = next
      // A server that begins to copy, which is never asked of it, would have no last result.
      guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_FATAL_ERROR].contains(pq.resultStatus(next)) else { break }
    }
    pq.clear(last)
    return nil
  }

  private func isSent() -> Bool {
    while true {
      switch pq.flush(raw) {
      case 0: return true
      // The server may wait for us to read before it reads on.
      case 1: guard patience.wait(pq.socket(raw), Int16(POLLIN | POLLOUT)), pq.consumeInput(raw) == 1 else { return false }
      default: return false
      }
    }
  }

  private func hasCome() -> Bool {
    while pq.isBusy(raw) == 1 {
      guard patience.wait(pq.socket(raw), Int16(POLLIN)), pq.consumeInput(raw) == 1 else { return false }
    }
    return patience.left > 0
  }
}
