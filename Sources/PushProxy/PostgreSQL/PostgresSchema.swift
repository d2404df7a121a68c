/// The tables in the schema `holdfast_push` of a PostgreSQL database, by version. A version's statements are never changed once it was
/// released; the next one follows it.
struct PostgresSchema {
  /// What leads from each version to the next; the first makes version 1.
  let versions: [[StaticString]]

  static let current = PostgresSchema(versions: [first])

  private static let first: [StaticString] = [
    """
    CREATE TABLE registrations (
      signer BYTEA NOT NULL, place TEXT COLLATE "C" NOT NULL, keys BYTEA NOT NULL, since BIGINT NOT NULL, seen BIGINT NOT NULL,
      PRIMARY KEY (signer, place)
    )
    """,
    "CREATE INDEX registrations_place ON registrations (place)",
    """
    CREATE TABLE pairs (
      signer BYTEA NOT NULL, client BYTEA NOT NULL, relay TEXT COLLATE "C" NOT NULL, since BIGINT NOT NULL,
      PRIMARY KEY (signer, client, relay)
    )
    """,
    """
    CREATE TABLE claims (
      request BYTEA PRIMARY KEY, signer BYTEA NOT NULL, relay TEXT COLLATE "C" NOT NULL, expires BIGINT NOT NULL,
      is_over BIGINT NOT NULL, owner BIGINT NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX claims_expires ON claims (expires)",
    "CREATE INDEX claims_open ON claims (owner) WHERE is_over = 0",
    "CREATE TABLE secrets (name TEXT COLLATE \"C\" PRIMARY KEY, secret BYTEA NOT NULL)",
    "CREATE TABLE spent (event BYTEA PRIMARY KEY, expires BIGINT NOT NULL)",
    "CREATE INDEX spent_expires ON spent (expires)",
    """
    CREATE TABLE proxies (
      id BIGINT PRIMARY KEY, since TIMESTAMPTZ NOT NULL DEFAULT now(), seen TIMESTAMPTZ NOT NULL DEFAULT now()
    )
    """,
    "CREATE TABLE format (version BIGINT NOT NULL, revision BIGINT NOT NULL)",
    "INSERT INTO format (version, revision) VALUES (0, 0)",
  ]

  /// Brings the database to the newest version. Proxies that start at once wait for each other.
  /// - Throws: `.database(.newerVersion)`, and what the database says.
  func migrate(_ database: PostgresConnection) throws(RegistrationsError) {
    guard try foreign(database) == 0 else { throw .database(.foreignTables) }
    guard try version(database) < versions.count else { return }
    try database.transaction { () throws(RegistrationsError) in
      try database.beginMaking()
      // The user may not be allowed to make a schema that somebody made for it.
      if try database.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'holdfast_push'") == 0 {
        try database.run("CREATE SCHEMA holdfast_push")
      }
      for number in try version(database)..<versions.count {
        for statement in versions[number] { try database.run(statement) }
        try database.write("UPDATE format SET version = ?1", .number(Int64(number) + 1))
      }
    }
  }

  /// Whether a proxy has made the tables. Nothing is changed.
  /// - Throws: as `migrate`.
  func isMade(_ database: PostgresConnection) throws(RegistrationsError) -> Bool {
    guard try foreign(database) == 0 else { throw .database(.foreignTables) }
    return try version(database) > 0
  }

  /// How much in the schema belongs to somebody else, or does more than store: whoever made it could read what is stored, and have
  /// functions of theirs run by our user. Superusers can do so anyway.
  private func foreign(_ database: PostgresConnection) throws(RegistrationsError) -> Int64 {
    try database.number(
      """
      WITH me AS (SELECT oid, rolsuper FROM pg_roles WHERE rolname = current_user), ours AS (
        SELECT role.oid FROM pg_roles AS role, me
        WHERE role.oid = me.oid OR role.rolsuper OR (NOT me.rolsuper AND pg_has_role(role.oid, 'USAGE'))
      ), schema AS (SELECT oid, nspowner FROM pg_namespace WHERE nspname = 'holdfast_push')
      SELECT (SELECT count(*) FROM schema WHERE nspowner NOT IN (SELECT oid FROM ours))
        + (SELECT count(*) FROM pg_class JOIN schema ON schema.oid = relnamespace
           WHERE relowner NOT IN (SELECT oid FROM ours) OR relkind NOT IN ('r', 'i', 't')
             OR relhastriggers OR relhasrules OR relrowsecurity)
      """)
  }

  /// The version of the tables; 0 when there are none.
  private func version(_ database: PostgresConnection) throws(RegistrationsError) -> Int {
    let isMade = try database.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'holdfast_push' AND tablename = 'format'")
    guard isMade == 1 else { return 0 }
    let found = try database.number("SELECT version FROM format")
    try check(found)
    return Int(max(0, found))
  }

  /// - Throws: `.database(.newerVersion)`.
  func check(_ found: Int64) throws(RegistrationsError) {
    guard found <= versions.count else { throw .database(.newerVersion(found: found)) }
  }
}
