import CPostgreSQL

/// The result of a statement, in PostgreSQL's binary form.
struct PostgresResult: ~Copyable {
  private let pq: holdfast_pq
  private let raw: OpaquePointer?

  /// - Parameter raw: nil when there was no memory, or no connection.
  init(_ pq: holdfast_pq, _ raw: OpaquePointer?) { (self.pq, self.raw) = (pq, raw) }

  deinit { pq.clear(raw) }

  /// PostgreSQL's code of its error; nil for a success.
  var code: String? {
    let status = pq.resultStatus(raw)
    guard status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK else { return nil }
    return pq.resultErrorField(raw, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
  }

  /// How many rows were changed, or are in the result.
  var count: Int { PostgresConnection.count(pq.cmdTuples(raw).flatMap { Int64(String(cString: $0)) } ?? 0) }

  func forEach(_ body: (any RegistrationsRow) -> Void) {
    guard let raw else { return }
    let columns = pq.nfields(raw)
    for index in 0..<pq.ntuples(raw) { body(Row(pq: pq, raw: raw, index: index, columns: columns)) }
  }

  /// Valid as long as its result.
  private struct Row: RegistrationsRow {
    let pq: holdfast_pq
    let raw: OpaquePointer
    let index: Int32
    let columns: Int32

    func integer(_ column: Int32) -> Int64 {
      let bytes = bytes(column)
      guard let first = bytes.first, bytes.count <= 8 else { return 0 }
      return bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    func bytes(_ column: Int32) -> [UInt8] {
      guard column < columns, let start = pq.getvalue(raw, index, column) else { return [] }
      return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(pq.getlength(raw, index, column))))
    }

    func string(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  }
}
