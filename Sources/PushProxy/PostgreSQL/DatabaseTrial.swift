/// Whether a proxy could use its database. Nothing is changed there.
package struct DatabaseTrial: Sendable, Equatable {
  /// The server and the database: `host:5432/name`.
  package let place: String
  /// Whether the tables are there. The first proxy makes them.
  package let hasTables: Bool

  /// Connects and reads.
  /// - Throws: what the database says, and that the tables are of a later version or of somebody else.
  package init(_ address: PostgresAddress) throws(RegistrationsError) {
    let database = PostgresConnection(try PostgresServer(address))
    hasTables = try PostgresSchema.current.isMade(database)
    place = database.place
    if hasTables { _ = try database.counts() }
  }
}
