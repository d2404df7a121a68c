/// The tables of a vault file, the same since the first version. SQLite runs what a file's own schema says, such as checks and computed
/// columns, so a file with any other table is refused.
enum VaultSchema {
  static let tables: [StaticString] = [
    "CREATE TABLE header (one INTEGER PRIMARY KEY CHECK (one = 1), body BLOB NOT NULL, digest BLOB NOT NULL, mac BLOB NOT NULL)",
    "CREATE TABLE attempts (one INTEGER PRIMARY KEY CHECK (one = 1), failures INTEGER NOT NULL, failed_at INTEGER NOT NULL)",
    """
    CREATE TABLE records (
      kind INTEGER NOT NULL, name BLOB NOT NULL, class INTEGER NOT NULL, version INTEGER NOT NULL,
      wrapped BLOB NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (kind, name)
    ) WITHOUT ROWID
    """,
  ]

  /// Compares the file's schema with ours, before anything else is read from it.
  /// - Throws: `.corrupt`, also for a schema that takes many more steps to read than ours.
  static func check(_ database: Database) throws(VaultError) {
    database.limitSteps(mostSteps)
    defer { database.limitSteps(nil) }
    let rows = try database.prepare("SELECT type, sql FROM sqlite_schema")
    var found: [String] = []
    while try rows.step() {
      guard rows.string(0) == "table", found.count < tables.count else { throw .corrupt(what: "the vault file") }
      found.append(words(rows.string(1)))
    }
    guard found.sorted() == tables.map({ words("\($0)") }).sorted() else { throw .corrupt(what: "the vault file") }
  }

  /// Earlier versions broke the lines elsewhere. No table has a text in which spaces count.
  private static func words(_ sql: String) -> String {
    sql.utf8.split { [0x20, 0x0a].contains($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Reading three tables takes SQLite less than a hundred.
  private static let mostSteps: Int32 = 10_000
}
