import CPostgreSQL

/// libpq, loaded when a database is named.
enum PostgresLibrary {
  /// Nil when it is not installed, or too old.
  static let shared: holdfast_pq? = load()

  private static func load() -> holdfast_pq? {
    var functions = holdfast_pq()
    return holdfast_pq_load(&functions) == 1 ? functions : nil
  }
}
