import CSQLite

/// One compiled statement, which its connection keeps. Parameters are counted from 1 and columns from 0, as SQLite does.
final class RegistrationsStatement: RegistrationsRow {
  private let raw: OpaquePointer
  private unowned let database: RegistrationsDatabase
  private let task: RegistrationsError.Step

  init(_ raw: OpaquePointer, of database: RegistrationsDatabase, _ task: RegistrationsError.Step) {
    (self.raw, self.database, self.task) = (raw, database, task)
  }

  deinit { sqlite3_finalize(raw) }

  /// Binds bytes, texts and numbers in their order.
  func bind(_ values: [RegistrationsValue]) throws(RegistrationsError) -> RegistrationsStatement {
    for (place, value) in values.enumerated() {
      guard bind(Int32(place) + 1, value) == SQLITE_OK else { throw database.fault(task) }
    }
    return self
  }

  private func bind(_ index: Int32, _ value: RegistrationsValue) -> Int32 {
    switch value {
    case .number(let number): sqlite3_bind_int64(raw, index, number)
    case .text(let text): sqlite3_bind_text(raw, index, text, -1, holdfast_sqlite_transient())
    case .bytes(let bytes):
      bytes.withUnsafeBytes { buffer in
        buffer.isEmpty
          ? sqlite3_bind_zeroblob(raw, index, 0)
          : sqlite3_bind_blob(raw, index, buffer.baseAddress, Int32(clamping: buffer.count), holdfast_sqlite_transient())
      }
    }
  }

  /// - Returns: whether there is a row.
  func step() throws(RegistrationsError) -> Bool {
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(raw)  // a read that is not ended would keep the write-ahead log from being folded in
      return false
    default:
      let fault = database.fault(task)
      sqlite3_reset(raw)
      throw fault
    }
  }

  /// Makes the statement ready to be bound and run again.
  func reset() { sqlite3_reset(raw) }

  /// A number; 0 for anything else.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }

  /// A copy of a column's bytes; empty for anything else.
  func bytes(_ column: Int32) -> [UInt8] {
    guard sqlite3_column_type(raw, column) == SQLITE_BLOB, let start = sqlite3_column_blob(raw, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column))))
  }

  /// A copy of a column's text; empty for null.
  func string(_ column: Int32) -> String { sqlite3_column_text(raw, column).map { String(cString: $0) } ?? "" }
}
