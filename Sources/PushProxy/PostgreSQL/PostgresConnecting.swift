import CPostgreSQL
import Platform
import SecretMemory

/// Makes a connection to one host. libpq's own call would wait as long as the network does.
struct PostgresConnecting {
  let server: PostgresServer
  let address: PostgresAddress
  let host: PostgresHosts.Host
  /// Milliseconds that an answer may take.
  let longest: Int64

  private var pq: holdfast_pq { server.pq }

  /// - Returns: a connection on which every session setting of ours holds.
  func connect() throws(PostgresFault) -> OpaquePointer {
    guard let raw = start() else { throw .away }
    do throws(PostgresFault) {
      guard pq.status(raw) != CONNECTION_BAD else { throw fault(raw, false) }
      // Errors have nothing but their code, which says the same in every language.
      _ = pq.setErrorVerbosity(raw, PQERRORS_SQLSTATE)
      _ = pq.setNoticeProcessor(raw, holdfast_pq_ignore_notice, nil)
      let patience = server.patience(milliseconds: PostgresServer.connecting)
      try finish(raw, patience)
      guard pq.setnonblocking(raw, 1) == 0,
        let answer = PostgresExchange(pq: pq, raw: raw, patience: patience).answer({ pq.sendQuery($0, settings) })
      else { throw .away }
      if let code = PostgresResult(pq, answer).code { throw PostgresFault(code: code) }
      return raw
    } catch {
      pq.finish(raw)
      throw error
    }
  }

  // The first of two equal names gives way to the address.
  private static let before = [
    ("application_name", "holdfast-push"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
    ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"),
  ].map { PostgresHosts.Word(name: $0, value: $1) }

  // A proxy that lost its network in a transaction holds up the others for ten seconds at most.
  // The server gives a statement up before we give the connection up: otherwise it would still work on it while we are connected anew.
  private var settings: String {
    let (statement, lock) = (min(30_000, longest - 500), min(5_000, longest - 1_000))
    return """
      SET search_path = holdfast_push, pg_temp; SET default_transaction_isolation = 'read committed';
      SET statement_timeout = \(statement); SET lock_timeout = \(lock); SET idle_in_transaction_session_timeout = 10000;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """
  }

  private func start() -> OpaquePointer? {
    let named = [("dbname", address.url), ("client_encoding", "UTF8")].map { PostgresHosts.Word(name: $0, value: $1) }
    let words = Self.before + host.before + named + host.after
    guard let password = address.password?() else { return start(words, nil) }
    return password.withBytes { bytes in
      withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { copy in
        defer { for index in copy.indices { copy[index] = 0 } }
        copy.copyMemory(from: bytes)
        copy[bytes.count] = 0
        return start(words, copy.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  private func start(_ words: [PostgresHosts.Word], _ password: UnsafePointer<CChar>?) -> OpaquePointer? {
    let texts = words.map { (strdup($0.name), strdup($0.value)) }
    defer {
      for (name, value) in texts {
        free(name)
        free(value)
      }
    }
    var names = texts.map { UnsafePointer($0.0) }
    var values = texts.map { UnsafePointer($0.1) }
    return "password".withCString { name in
      if let password {
        names.append(name)
        values.append(password)
      }
      return pq.connectStartParams(names + [nil], values + [nil], 1)
    }
  }

  private func finish(_ raw: OpaquePointer, _ patience: PostgresServer.Patience) throws(PostgresFault) {
    var (events, isStartingTLS) = (Int16(POLLOUT), false)
    while patience.wait(pq.socket(raw), events) {
      switch pq.connectPoll(raw) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: events = Int16(POLLIN)
      case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
      default: throw fault(raw, isStartingTLS)
      }
      isStartingTLS = pq.status(raw) == CONNECTION_SSL_STARTUP
    }
    throw .away
  }

  private func fault(_ raw: OpaquePointer, _ isStartingTLS: Bool) -> PostgresFault {
    if pq.connectionNeedsPassword(raw) == 1 { return .passwordMissing }
    let fault = PostgresFault(connecting: pq.errorMessage(raw).map { String(cString: $0) } ?? "")
    return fault == .away && isStartingTLS ? .noTLS : fault
  }
}
