import CSQLite
import Platform

/// One SQLite connection. Not for two threads at once: it lives behind the vault's lock.
final class Database {
  private let raw: OpaquePointer
  /// Released after the file is closed.
  private let lock: HomeLock?
  /// Compiled statements that nobody uses now, each with its text's address. They are as many as the program has texts, at most.
  private var idle: [(sql: UnsafePointer<UInt8>, raw: OpaquePointer)] = []

  private static let configured: Void = {
    _ = holdfast_sqlite_disable_memory_status()
  }()

  /// Opens an existing file for reading and writing. SQLite makes no file here, because whoever makes it chooses its mode.
  /// - Parameter lock: keeps other processes out meanwhile.
  init(path: String, under lock: HomeLock? = nil) throws(VaultError) {
    _ = Self.configured
    self.lock = lock
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nil)
    guard let opened else { throw .outOfMemory }
    raw = opened
    guard status == SQLITE_OK else { throw fault("opening the vault file") }
    for (option, value) in Self.options { _ = holdfast_sqlite_db_config_int(raw, option, value) }
    for (limit, value) in Self.limits { sqlite3_limit(raw, limit, value) }
    sqlite3_extended_result_codes(raw, 1)
  }

  deinit {
    for statement in idle { sqlite3_finalize(statement.raw) }
    sqlite3_close_v2(raw)
  }

  // The file may have been changed by a stranger: no trigger and no view of its schema runs. Checks and computed columns still do:
  // `VaultSchema` refuses every table but our own.
  private static let options: [(Int32, Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
  ]

  // A value is sealed together with its id. Our own statements are short.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, Int32(Vault.maximumValueLength + 1 << 20)), (SQLITE_LIMIT_SQL_LENGTH, 4096),
  ]

  /// Each statement ends with an error after about so many steps of SQLite's; nil for any number. Reading the schema is part of the first.
  func limitSteps(_ count: Int32?) { holdfast_sqlite_limit_steps(raw, count ?? 0) }

  /// From now on closing folds the write-ahead log into the file. Off at first, so that a file we refuse is not changed.
  func foldOnClose() { _ = holdfast_sqlite_db_config_int(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

  /// Runs statements without parameters or results.
  func run(_ sql: StaticString) throws(VaultError) {
    guard sqlite3_exec(raw, text(sql), nil, nil, nil) == SQLITE_OK else { throw fault(sql) }
  }

  /// A compiled statement that nobody else uses. Compiling one takes longer than running it, so those that were used before are used again.
  func prepare(_ sql: StaticString) throws(VaultError) -> Statement {
    if let index = idle.firstIndex(where: { $0.sql == sql.utf8Start }) {
      return Statement(idle.remove(at: index).raw, of: self, sql)
    }
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(raw, text(sql), -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw fault(sql) }
    return Statement(statement, of: self, sql)
  }

  /// Takes a statement back, without what was bound to it, and ends what it reads or writes.
  fileprivate func takeBack(_ statement: OpaquePointer, _ sql: StaticString) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    idle.append((sql.utf8Start, statement))
  }

  /// All changes of `body`, or none. They are on the disk when this returns.
  func transaction(_ body: () throws(VaultError) -> Void) throws(VaultError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      if sqlite3_get_autocommit(raw) == 0 { sqlite3_exec(raw, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Folds the write-ahead log into the file and empties it, so that nothing that was replaced stays in it. What the disk does not
  /// take now is done later.
  func forgetLog() { sqlite3_exec(raw, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) }

  /// The connection's last failure as this module's error.
  func fault(_ step: StaticString) -> VaultError {
    let code = sqlite3_extended_errcode(raw)
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_INTERRUPT:
      return .corrupt(what: "the vault file")
    case SQLITE_FULL: return .io("writing the vault", code: ENOSPC)
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

/// One compiled statement, of use until its owner is gone. Parameters and columns are counted from 1 and from 0, as SQLite does.
final class Statement {
  private let raw: OpaquePointer
  private let database: Database
  private let sql: StaticString

  init(_ raw: OpaquePointer, of database: Database, _ sql: StaticString) {
    (self.raw, self.database, self.sql) = (raw, database, sql)
  }

  deinit { database.takeBack(raw, sql) }

  /// Binds a number.
  func bind(_ index: Int32, _ value: Int64) throws(VaultError) {
    guard sqlite3_bind_int64(raw, index, value) == SQLITE_OK else { throw database.fault(sql) }
  }

  /// Binds bytes; SQLite copies them.
  func bind(_ index: Int32, _ bytes: [UInt8]) throws(VaultError) {
    let status = bytes.withUnsafeBytes { buffer in
      buffer.isEmpty
        ? sqlite3_bind_zeroblob(raw, index, 0)
        : sqlite3_bind_blob(raw, index, buffer.baseAddress, Int32(clamping: buffer.count), holdfast_sqlite_transient())
    }
    guard status == SQLITE_OK else { throw database.fault(sql) }
  }

  /// - Returns: whether there is a row.
  func step() throws(VaultError) -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.fault(sql)
    }
  }

  /// Makes the statement ready to be bound and run again.
  func reset() { sqlite3_reset(raw) }

  /// A number; 0 for anything else.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  /// A copy of a column's bytes. Empty for null, and for a text, because SQLite treats a text with the same bytes as another
  /// name: a search for the name would not find it, while a read of all rows could not distinguish it from the right one.
  func bytes(_ column: Int32) -> [UInt8] {
    guard sqlite3_column_type(raw, column) == SQLITE_BLOB, let start = sqlite3_column_blob(raw, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
  }

  /// A copy of a column's text; empty for null.
  func string(_ column: Int32) -> String { sqlite3_column_text(raw, column).map { String(cString: $0) } ?? "" }
}
