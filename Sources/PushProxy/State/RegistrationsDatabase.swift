import CSQLite
import Platform

/// One SQLite connection to `push.sqlite`. Not for two threads at once.
final class RegistrationsDatabase: RegistrationsConnection, @unchecked Sendable {  // Sendable: behind a lock before others see it
  private let raw: OpaquePointer
  /// Compiled statements, by the place of their text in the program.
  private var prepared: [UnsafePointer<UInt8>: RegistrationsStatement] = [:]

  /// Opens an existing file for reading and writing. SQLite makes no file here, because whoever makes it chooses its mode.
  convenience init(path: String) throws(RegistrationsError) { try self.init(path, SQLITE_OPEN_READWRITE) }

  /// Opens a file that nobody uses and that has no write-ahead log. Neither the file nor its folder is changed.
  convenience init(unchanged path: String) throws(RegistrationsError) {
    var address = "file:"
    for character in path { address += ["%": "%25", "?": "%3f", "#": "%23"][character] ?? String(character) }
    try self.init(address + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  private init(_ name: String, _ flags: Int32) throws(RegistrationsError) {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nil)
    guard let opened else { throw .outOfMemory }
    raw = opened
    guard status == SQLITE_OK else { throw fault(.opening) }
    for (option, value) in Self.options { _ = holdfast_sqlite_db_config_int(raw, option, value) }
    for (limit, value) in Self.limits { sqlite3_limit(raw, limit, value) }
    sqlite3_extended_result_codes(raw, 1)
    sqlite3_busy_timeout(raw, Self.busyMilliseconds)
  }

  deinit {
    prepared.removeAll()
    sqlite3_close_v2(raw)
  }

  // Somebody may have changed the file: no trigger and no view of its schema runs.
  private static let options: [(Int32, Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
  ]

  // The longest value is an address.
  private static let limits: [(Int32, Int32)] = [(SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_SQL_LENGTH, 4096)]

  /// The reader waits so long for the writer: only where a file is made whole after a crash.
  private static let busyMilliseconds: Int32 = 5_000

  /// From now on closing folds the write-ahead log into the file. Off at first, so that a refused file is not changed.
  func foldOnClose() { _ = holdfast_sqlite_db_config_int(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

  /// Each statement ends with an error after about so many steps of SQLite's; nil for any number.
  func limitSteps(_ count: Int32?) { holdfast_sqlite_limit_steps(raw, count ?? 0) }

  /// Runs statements without parameters or results.
  func run(_ sql: StaticString, _ step: RegistrationsError.Step = .writing) throws(RegistrationsError) {
    guard sqlite3_exec(raw, text(sql), nil, nil, nil) == SQLITE_OK else { throw fault(step) }
  }

  /// A statement, compiled at its first use and ready to be bound.
  /// - Parameter step: what an error of it is told as.
  func statement(
    _ sql: StaticString, _ step: RegistrationsError.Step = .reading
  ) throws(RegistrationsError) -> RegistrationsStatement {
    if let known = prepared[sql.utf8Start] {
      known.reset()
      return known
    }
    var compiled: OpaquePointer?
    guard sqlite3_prepare_v2(raw, text(sql), -1, &compiled, nil) == SQLITE_OK, let compiled else { throw fault(step) }
    let statement = RegistrationsStatement(compiled, of: self, step)
    prepared[sql.utf8Start] = statement
    return statement
  }

  func execute(
    _ sql: StaticString, _ step: RegistrationsError.Step, _ values: [RegistrationsValue],
    each: (any RegistrationsRow) -> Void
  ) throws(RegistrationsError) -> Int {
    let statement = try statement(sql, step).bind(values)
    while try statement.step() { each(statement) }
    return Int(sqlite3_changes(raw))
  }

  /// All changes of `body`, or none. They are on the disk when this returns.
  func transaction<Result>(_ body: () throws(RegistrationsError) -> Result) throws(RegistrationsError) -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      if sqlite3_get_autocommit(raw) == 0 { sqlite3_exec(raw, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// The connection's last failure as this module's error.
  func fault(_ step: RegistrationsError.Step) -> RegistrationsError {
    switch sqlite3_extended_errcode(raw) & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_INTERRUPT: return .damaged
    case SQLITE_FULL: return .io(step, code: ENOSPC)
    case SQLITE_NOMEM: return .outOfMemory
    case SQLITE_BUSY, SQLITE_LOCKED: return .inUse(pid: 0)
    default:
      let system = sqlite3_system_errno(raw)
      return .io(step, code: system != 0 ? system : EIO)
    }
  }

  private func text(_ sql: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)  // a StaticString literal ends with a zero byte
  }
}
