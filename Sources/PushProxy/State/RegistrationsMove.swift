import Platform

/// Copies all that a proxy keeps from its own file to a database, or back. What it is copied from stays as it was.
package enum RegistrationsMove {
  /// Which way.
  package enum Direction: Sendable { case toDatabase, toFolder }

  /// - Returns: how much was copied, all or nothing.
  /// - Throws: `.notEmpty`, `.noRegistrations`, `.database(.proxiesRun)` and others.
  package static func run(
    _ direction: Direction, folder: String, database address: PostgresAddress
  ) throws(RegistrationsError) -> Registrations.Counts {
    // Nothing is made for a copy that is refused.
    if direction == .toDatabase, !RegistrationsFile.isThere(in: folder) { throw .noRegistrations }
    let shared = try SharedRegistrations(address, longestChange: nil)
    if direction == .toFolder {
      guard try shared.writer.withLock({ shared throws(RegistrationsError) in try liveProxies(of: shared.database) }) == 0 else {
        throw .database(.proxiesRun)
      }
    }
    let file = try Registrations(folder: folder)
    return try file.writer.withLock { file throws(RegistrationsError) in
      try shared.writer.withLock { shared throws(RegistrationsError) in
        guard try liveProxies(of: shared.database) == 0 else { throw .database(.proxiesRun) }
        switch direction {
        case .toDatabase: return try copy(from: file.database, to: shared.database, database: shared.database)
        case .toFolder: return try copy(from: shared.database, to: file.database, database: shared.database)
        }
      }
    }
  }

  private static func liveProxies(of database: any RegistrationsConnection) throws(RegistrationsError) -> Int64 {
    try database.number(
      "SELECT count(*) FROM proxies WHERE seen BETWEEN now() - ?1 * interval '1 second' AND now() + ?1 * interval '1 second'",
      .number(LiveProxies.leaseSeconds))
  }

  private static func copy(
    from: any RegistrationsConnection, to: any RegistrationsConnection, database: any RegistrationsConnection
  ) throws(RegistrationsError) -> Registrations.Counts {
    try to.transaction { () throws(RegistrationsError) in
      try to.beginChanges()
      guard try to.counts() == Registrations.Counts() else { throw .notEmpty }
      // Those of a proxy with which nobody registered.
      try to.write("DELETE FROM secrets")
      try to.write("DELETE FROM claims")
      for table in tables { try table.copy(from, to) }
      // A proxy may have started meanwhile and changed what was copied already.
      guard try liveProxies(of: database) == 0 else { throw .database(.proxiesRun) }
      return try to.counts()
    }
  }

  /// The statements that read and write a table's rows. SQLite and PostgreSQL understand both.
  private struct Table {
    let read: StaticString
    let write: StaticString
    let values: @Sendable (any RegistrationsRow) -> [RegistrationsValue]

    func copy(_ from: any RegistrationsConnection, _ to: any RegistrationsConnection) throws(RegistrationsError) {
      for row in try from.rows(read, read: values) { _ = try to.execute(write, .writing, row) { _ in } }
    }
  }

  private static let tables = [
    Table(
      read: "SELECT signer, place, keys, since, seen FROM registrations",
      write: "INSERT INTO registrations (signer, place, keys, since, seen) VALUES (?1, ?2, ?3, ?4, ?5)"
    ) { [.bytes($0.bytes(0)), .text($0.string(1)), .bytes($0.bytes(2)), .number($0.integer(3)), .number($0.integer(4))] },
    Table(
      read: "SELECT signer, client, relay, since FROM pairs",
      write: "INSERT INTO pairs (signer, client, relay, since) VALUES (?1, ?2, ?3, ?4)"
    ) { [.bytes($0.bytes(0)), .bytes($0.bytes(1)), .text($0.string(2)), .number($0.integer(3))] },
    Table(
      read: "SELECT request, signer, relay, expires, is_over FROM claims",
      write: "INSERT INTO claims (request, signer, relay, expires, is_over) VALUES (?1, ?2, ?3, ?4, ?5)"
    ) { [.bytes($0.bytes(0)), .bytes($0.bytes(1)), .text($0.string(2)), .number($0.integer(3)), .number($0.integer(4))] },
    // The token for Apple's service is made again.
    Table(
      read: "SELECT name, secret FROM secrets WHERE name IN ('relay-login', 'web-push')",
      write: "INSERT INTO secrets (name, secret) VALUES (?1, ?2)"
    ) { [.text($0.string(0)), .bytes($0.bytes(1))] },
  ]
}
