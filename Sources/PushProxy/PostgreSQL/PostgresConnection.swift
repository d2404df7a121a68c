import CPostgreSQL
import Encodings
import Platform

/// One connection to a PostgreSQL server, made again when it is lost. Not for two threads at once.
final class PostgresConnection: RegistrationsConnection, @unchecked Sendable {  // Sendable: behind a lock before others see it
  /// The pause after an attempt that failed, in milliseconds. Each further one is twice as long.
  static let firstPause: Int64 = 100
  static let longestPause: Int64 = 2_000
  /// The server's advisory lock under which tables are made ("HFDPUSH").
  private static let lock: Int64 = 0x48_4644_5055_5348

  /// How long the server may take to answer a statement that reads, and one that writes, in milliseconds. It gives up a statement after 30
  /// seconds and the wait for a lock after 5 itself; these are for one that says nothing.
  static let reading: Int64 = 35_000
  static let writing: Int64 = 10_000

  private let server: PostgresServer
  private let longest: Int64
  private let longestTransaction: Int64?
  /// Until when the transaction that runs must be over, in milliseconds of a clock that never goes back.
  private var transactionEnd: Int64?
  var pq: holdfast_pq { server.pq }
  private(set) var raw: OpaquePointer?
  /// Statements that the server has prepared, by the place of their text in the program.
  private var prepared: Set<UnsafePointer<UInt8>> = []
  private var isInTransaction = false
  private var pause: Int64 = 0
  private var nextAttempt: Int64 = .min
  /// Why the last attempt failed.
  private var lastFault = PostgresFault.away
  /// When the connection was made, in milliseconds of a clock that never goes back; nil without one.
  private(set) var connectedAt: Int64?

  /// Connects at the first statement.
  /// - Parameters:
  ///   - longest: milliseconds that any answer may take; less than the usual where others wait for it.
  ///   - longestTransaction: milliseconds that a transaction may take with all its statements; nil for any time.
  init(_ server: PostgresServer, longest: Int64 = PostgresConnection.reading, longestTransaction: Int64? = nil) {
    (self.server, self.longest, self.longestTransaction) = (server, longest, longestTransaction)
  }

  deinit { if let raw { pq.finish(raw) } }

  /// The server and the database, for the operator: `host:5432/name`.
  var place: String {
    func text(_ read: (OpaquePointer?) -> UnsafeMutablePointer<CChar>?) -> String { read(raw).map { String(cString: $0) } ?? "" }
    return "\(text(pq.host)):\(text(pq.port))/\(text(pq.db))"
  }

  // MARK: statements

  func execute(
    _ sql: StaticString, _ step: RegistrationsError.Step, _ values: [RegistrationsValue],
    each: (any RegistrationsRow) -> Void
  ) throws(RegistrationsError) -> Int {
    let (parameters, wasConnected) = (PostgresParameters(values), raw != nil)
    do throws(RegistrationsError) { return try execute(sql, step, parameters, each) } catch {
      // The server may have been started again since the last statement. Reading a second time harms nothing.
      guard step == .reading, wasConnected, raw == nil, !isInTransaction else { throw error }
      return try execute(sql, step, parameters, each)
    }
  }

  private func execute(
    _ sql: StaticString, _ step: RegistrationsError.Step, _ parameters: PostgresParameters, _ each: (any RegistrationsRow) -> Void
  ) throws(RegistrationsError) -> Int {
    let patience = step == .reading ? Self.reading : Self.writing
    let name = "s\(UInt(bitPattern: sql.utf8Start))"
    if !prepared.contains(sql.utf8Start) {
      // SQLite writes the first parameter as ?1, PostgreSQL as $1.
      let text = "\(sql)".replacing(text: "?", by: "$")
      try check(ask(patience) { [pq] in pq.sendPrepare($0, name, text, Int32(parameters.types.count), parameters.types) })
      prepared.insert(sql.utf8Start)
    }
    let result = try ask(patience) { [pq] raw in parameters.lend { pq.sendQueryPrepared(raw, name, $0, $1, $2, $3, 1) } }
    try check(result)
    result.forEach(each)
    return result.count
  }

  /// Runs statements without parameters or results.
  func run(_ sql: StaticString) throws(RegistrationsError) {
    try check(ask(Self.writing) { [pq] in pq.sendQuery($0, "\(sql)") })
  }

  /// Sends a statement, and waits for its result. Without one in time the connection is lost.
  private func ask(_ patience: Int64, _ send: (OpaquePointer) -> Int32) throws(RegistrationsError) -> PostgresResult {
    let raw = try connected()
    let left = transactionEnd.map { $0 - Clock.bootMilliseconds } ?? .max
    guard left > 0 else {
      lose()  // the server takes back what was done
      throw .database(.away)
    }
    let exchange = PostgresExchange(pq: pq, raw: raw, patience: server.patience(milliseconds: min(patience, longest, left)))
    guard let answer = exchange.answer(send) else {
      let isSilent = exchange.patience.left <= 0
      lose()
      // Whoever asks again at once would only wait again.
      if isSilent { postpone(.away) }
      throw .database(.away)
    }
    return PostgresResult(pq, answer)
  }

  func transaction<Result>(_ body: () throws(RegistrationsError) -> Result) throws(RegistrationsError) -> Result {
    transactionEnd = longestTransaction.map { Clock.bootMilliseconds + $0 }
    defer { (isInTransaction, transactionEnd) = (false, nil) }
    try begin()
    isInTransaction = true
    do throws(RegistrationsError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      do throws(RegistrationsError) { if raw != nil { try run("ROLLBACK") } } catch { lose() }
      throw error
    }
  }

  private func begin() throws(RegistrationsError) {
    let wasConnected = raw != nil
    do throws(RegistrationsError) { try run("BEGIN") } catch {
      guard wasConnected, raw == nil else { throw error }
      try run("BEGIN")
    }
  }

  private func check(_ result: borrowing PostgresResult) throws(RegistrationsError) {
    guard let code = result.code else { return }
    let fault = pq.status(raw) == CONNECTION_OK ? PostgresFault(code: code) : .away
    // Another server of the address may be the one that takes changes.
    let isUnprepared = Self.unprepared.contains(code)
    if pq.status(raw) != CONNECTION_OK || fault == .readOnly || isUnprepared { lose() }
    throw .database(isUnprepared ? .away : fault)
  }

  /// The codes of statements that have to be prepared again, because a column has another type or somebody forgot them.
  private static let unprepared: Set = ["0A000", "26000"]

  // MARK: the connection

  private func connected() throws(RegistrationsError) -> OpaquePointer {
    if let raw { return raw }
    guard !isInTransaction, Clock.bootMilliseconds >= nextAttempt else { throw .database(lastFault) }
    do throws(PostgresFault) {
      let made = try server.connect(longest)
      raw = made
      (connectedAt, pause) = (Clock.bootMilliseconds, 0)
      return made
    } catch {
      postpone(error)
      throw .database(error)
    }
  }

  private func postpone(_ fault: PostgresFault) {
    pause = min(max(Self.firstPause, pause * 2), Self.longestPause)
    (nextAttempt, lastFault) = (Clock.bootMilliseconds + pause, fault)
  }

  func lose() {
    if let raw { pq.finish(raw) }
    (raw, connectedAt, prepared) = (nil, nil, [])
  }

  // MARK: other proxies

  /// Lets one proxy at a time make changes, by a lock on a row of ours, which other users of the database cannot take.
  /// - Throws: `.database(.newerVersion)` when a later version of the proxy has changed the tables since this one began.
  func beginChanges() throws(RegistrationsError) {
    var version: Int64 = 0
    _ = try execute("SELECT version FROM format FOR UPDATE", .writing, []) { version = $0.integer(0) }
    try PostgresSchema.current.check(version)
  }

  /// The same before there are tables.
  func beginMaking() throws(RegistrationsError) {
    _ = try execute("SELECT pg_advisory_xact_lock(?1)", .writing, [.number(Self.lock)]) { _ in }
  }

  /// The other proxies read this number with each heartbeat, and load the registrations again when it changed. The notification, which the
  /// server sends once the change counts, lets them do so at once.
  func announceChanges() throws(RegistrationsError) {
    let sql: StaticString =
      "WITH changed AS (UPDATE format SET revision = revision + 1) SELECT pg_notify('holdfast_push', '')"
    _ = try execute(sql, .writing, []) { _ in }
  }

  /// The database's clock decides when it is forgotten, so it is told for how long the authorization counts.
  func spend(_ proof: ProxyProof, now: Int64) throws(RegistrationsError) -> Bool {
    try write(
      """
      INSERT INTO spent (event, expires) VALUES (?1, extract(epoch FROM now())::bigint + ?2) ON CONFLICT (event) DO NOTHING
      """, .bytes(proof.event), .number(max(0, proof.until - now))) == 1
  }
}
