/// Why a PostgreSQL database does not do what it is asked. Nothing that the server or libpq wrote is kept: it may have the address.
package enum PostgresFault: Error, Equatable, Sendable {
  /// libpq is not installed.
  case noLibrary
  /// libpq cannot read the address.
  case malformedAddress
  /// The value of `sslmode` is none of libpq's.
  case malformedMode
  /// The server does not answer, starts, ends, or gave up a statement. Later it may do it.
  case away
  /// The server is a read-only copy (standby) of the one that takes changes.
  case readOnly
  case tooManyConnections
  case passwordMissing, wrongPassword
  /// The server lets this user in from nowhere, or not from here.
  case notAdmitted
  case noSuchDatabase
  /// There is no TLS as `sslmode` asks for it.
  case noTLS
  /// The user may not make or use the tables.
  case notAllowed
  /// The user may not see the tables, which another user made, or somebody removed them.
  case noTables
  /// Another user made the schema or a table in it, or something in it runs functions.
  case foreignTables
  /// Proxies use the database while it is to be copied.
  case proxiesRun
  /// A later version of the proxy made the tables.
  case newerVersion(found: Int64)
  /// A stored key of the proxies' own is none.
  case damagedKey
  /// The disk of the database is full.
  case full
  /// Any other error. The code is PostgreSQL's, five letters and digits (its manual, appendix A), or `unknown`.
  case refused(code: String)

  /// - Parameter code: PostgreSQL's.
  init(code: String) {
    switch code {
    case "28P01": self = .wrongPassword
    case "28000": self = .notAdmitted
    case "3D000": self = .noSuchDatabase
    case "42501": self = .notAllowed
    case "3F000", "42P01": self = .noTables
    case "53100": self = .full
    case "53300": self = .tooManyConnections
    case "25006": self = .readOnly
    // Statements that were cancelled, locks that were not had in time, deadlocks, a transaction that lay idle.
    case "25P03", "40001", "40P01", "55P03",
      _ where code.hasPrefix("57") || code.hasPrefix("08"):
      self = .away
    default: self = .refused(code: Self.isCode(code) ? code : "unknown")
    }
  }

  /// Whether a text is five of PostgreSQL's letters and digits. A server may send anything in the place of its code.
  private static func isCode(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// The code in libpq's message of a failed connection, whatever language the rest is in.
  init(connecting message: String) {
    // It ends its line. Elsewhere a port may look like one.
    let words = message.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    let code = words.last { Self.isCode($0) && Self.classes.contains(String($0.prefix(2))) }
    self = code.map { PostgresFault(code: String($0)) } ?? .away
  }

  /// The classes of errors with which a server refuses a connection.
  private static let classes: Set = ["08", "25", "28", "3D", "42", "53", "57"]

  private static let grants =
    """
    GRANT USAGE ON SCHEMA holdfast_push TO user; \
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast_push TO user
    """

  /// What a person can read: what is wrong, and what to do.
  var message: String {
    switch self {
    case .noLibrary: "libpq, the library for PostgreSQL, could not be loaded. Install the package libpq5."
    case .malformedAddress:
      "--database is no address that libpq can read. Write postgres://USER@HOST/DATABASE, with special characters percent-encoded."
    case .malformedMode:
      "The value of sslmode in --database is wrong. Write disable, allow, prefer, require, verify-ca or verify-full, or leave sslmode out."
    case .away: "The database does not answer. Check the host and port of --database, and that PostgreSQL runs there."
    case .readOnly: "The database takes no changes: it is a copy of another. Name the server that takes them in --database."
    case .tooManyConnections: "The database has no connection left. Raise its max_connections: each push proxy needs four."
    case .passwordMissing:
      "The database asks for a password, and there is none. Name a file with it: --database-password-file FILE."
    case .wrongPassword:
      "The database refuses the password. Check the one in --database, in the file of --database-password-file or in PGPASSFILE."
    case .notAdmitted:
      "The database does not admit this user from this machine. Check the user's name in --database, and pg_hba.conf of the server."
    case .noTLS:
      "There is no TLS to the database as sslmode in --database asks: the server has none, or its certificate is not trusted. See sslrootcert."
    case .noSuchDatabase: "The server has no such database. Make it, for example: createdb --owner USER DATABASE"
    case .notAllowed:
      """
      The user of --database may not make or use the tables. Let it own the database: ALTER DATABASE name OWNER TO user. Or, if another user \
      made the tables: \(Self.grants)
      """
    case .noTables: "The user of --database cannot see the proxy's tables. As their owner or a superuser, run: \(Self.grants)"
    case .foreignTables:
      """
      The schema holdfast_push of the database was made or changed by another user than that of --database. It was left as it is: look who \
      made it, and name another database, or drop the schema.
      """
    case .newerVersion(let found):
      "The tables of the database have format \(found), which a later version of the push proxy made. Start that version."
    case .proxiesRun: "Push proxies use the database. End them first, or what they change meanwhile would be lost."
    case .damagedKey:
      """
      A key in the table holdfast_push.secrets is damaged. It was left as it is: restore a copy of the table, or delete the row. Then a new key \
      is made, and browsers have to subscribe again.
      """
    case .full: "The disk of the database is full."
    case .refused(let code): "The database refused a statement of the push proxy (PostgreSQL's error \(code))."
    }
  }
}
