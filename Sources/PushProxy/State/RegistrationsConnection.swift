import Encodings

/// One connection to a database of registrations, SQLite's or PostgreSQL's. Both understand the statements of this module: `?1` is the first
/// parameter. Not for two threads at once.
protocol RegistrationsConnection: AnyObject, Sendable {
  /// Runs a statement, and calls `each` once for each row of its result.
  /// - Parameter step: what the statement does, for the sentence of an error.
  /// - Returns: how many rows it changed.
  func execute(
    _ sql: StaticString, _ step: RegistrationsError.Step, _ values: [RegistrationsValue],
    each: (any RegistrationsRow) -> Void
  ) throws(RegistrationsError) -> Int

  /// Makes all changes of `body`, or none when it throws. They are on the disk when this returns.
  func transaction<Result>(_ body: () throws(RegistrationsError) -> Result) throws(RegistrationsError) -> Result

  /// Called in each transaction that makes changes, before the first: has it wait for those of other proxies.
  func beginChanges() throws(RegistrationsError)
  /// Called in such a transaction when the keys or relays became others: tells other proxies once it is over.
  func announceChanges() throws(RegistrationsError)
  /// Notes an authorization as used.
  /// - Parameter now: seconds since 1970, by the clock of this machine.
  /// - Returns: false when it was used before, at this proxy or another.
  func spend(_ proof: ProxyProof, now: Int64) throws(RegistrationsError) -> Bool
}

/// A row of a result. Columns are counted from 0.
protocol RegistrationsRow {
  /// The number in a column; 0 when the column holds something else.
  func integer(_ column: Int32) -> Int64
  /// A copy of the bytes in a column; empty when the column holds something else.
  func bytes(_ column: Int32) -> [UInt8]
  /// A copy of a column's text; empty for null.
  func string(_ column: Int32) -> String
}

/// What can be bound to a statement.
enum RegistrationsValue {
  case number(Int64)
  case text(String)
  case bytes([UInt8])

  static func bytes(_ bytes: Bytes32) -> RegistrationsValue { .bytes(bytes.array) }
}

extension RegistrationsConnection {
  /// Runs a statement without rows.
  /// - Returns: how many rows it changed.
  @discardableResult
  func write(_ sql: StaticString, _ values: RegistrationsValue...) throws(RegistrationsError) -> Int {
    try execute(sql, .writing, values) { _ in }
  }

  /// What `read` makes of each row, without those of which it makes nothing.
  func rows<Item>(
    _ sql: StaticString, _ values: RegistrationsValue..., read: (any RegistrationsRow) -> Item?
  ) throws(RegistrationsError) -> [Item] {
    var found: [Item] = []
    _ = try execute(sql, .reading, values) { if let item = read($0) { found.append(item) } }
    return found
  }

  /// The first column of the first row as a number; 0 without a row.
  func number(_ sql: StaticString, _ values: RegistrationsValue...) throws(RegistrationsError) -> Int64 {
    var found: Int64?
    _ = try execute(sql, .reading, values) { found = found ?? $0.integer(0) }
    return found ?? 0
  }
}

// MARK: a connection that no other proxy has

extension RegistrationsConnection {
  func beginChanges() throws(RegistrationsError) {}
  func announceChanges() throws(RegistrationsError) {}
  // `ProxyAuthorization` remembers those of this proxy.
  func spend(_ proof: ProxyProof, now: Int64) throws(RegistrationsError) -> Bool { true }
}
