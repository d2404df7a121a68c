/// The tables of `push.sqlite`, by version. A version's statements are never changed once it was released; the next one follows it.
struct RegistrationsSchema: Sendable {
  /// What leads from one version to the next, and what the file's schema is then.
  struct Version: Sendable {
    /// Run once, in one transaction with the new version's number.
    let migration: [StaticString]
    /// All statements that the file's schema then has.
    let schema: [StaticString]
  }

  /// The first is version 1.
  let versions: [Version]

  static let current = RegistrationsSchema(versions: [Version(migration: first, schema: first)])

  private static let first: [StaticString] = [
    """
    CREATE TABLE registrations (
      signer BLOB NOT NULL, place TEXT NOT NULL, keys BLOB NOT NULL, since INTEGER NOT NULL, seen INTEGER NOT NULL,
      PRIMARY KEY (signer, place)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX registrations_place ON registrations (place)",
    """
    CREATE TABLE pairs (
      signer BLOB NOT NULL, client BLOB NOT NULL, relay TEXT NOT NULL, since INTEGER NOT NULL,
      PRIMARY KEY (signer, client, relay)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE claims (
      request BLOB PRIMARY KEY NOT NULL, signer BLOB NOT NULL, relay TEXT NOT NULL, expires INTEGER NOT NULL, is_over INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX claims_expires ON claims (expires)",
    "CREATE TABLE secrets (name TEXT PRIMARY KEY NOT NULL, secret BLOB NOT NULL) WITHOUT ROWID",
  ]

  /// The newest version.
  var newest: UInt32 { UInt32(versions.count) }

  /// Brings the file from its version to the newest, each step whole or not at all.
  /// - Throws: `.notOurs` for a file with other tables than its version has.
  func migrate(_ database: RegistrationsDatabase, from found: UInt32) throws(RegistrationsError) {
    if found > 0 { try check(database, version: found) }
    for number in Int(found)..<versions.count {
      try database.transaction { () throws(RegistrationsError) in
        for statement in versions[number].migration { try database.run(statement) }
        try database.run(Self.marks[number])
      }
    }
    try check(database, version: newest)
  }

  // A pragma takes no parameter.
  private static let marks: [StaticString] = [
    "PRAGMA application_id = 0x48464450; PRAGMA user_version = 1", "PRAGMA user_version = 2", "PRAGMA user_version = 3",
    "PRAGMA user_version = 4",
  ]

  /// SQLite runs what a file's own schema says, such as checks and computed columns, so a file with any other statement is refused.
  func check(_ database: RegistrationsDatabase, version: UInt32) throws(RegistrationsError) {
    database.limitSteps(Self.mostSteps)
    defer { database.limitSteps(nil) }
    let expected = versions[Int(version) - 1].schema.map { Self.words("\($0)") }.sorted()
    let rows = try database.statement("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    defer { rows.reset() }
    var found: [String] = []
    while try rows.step() {
      guard found.count < expected.count else { throw .notOurs }
      found.append(Self.words(rows.string(0)))
    }
    guard found.sorted() == expected else { throw .notOurs }
  }

  private static func words(_ sql: String) -> String {
    sql.utf8.split { [0x20, 0x0a].contains($0) }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
  }

  /// Reading three statements takes SQLite less than a hundred.
  private static let mostSteps: Int32 = 10_000
}
