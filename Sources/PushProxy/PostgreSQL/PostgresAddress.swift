package import SecretMemory

/// Where a PostgreSQL database is, and how to log in there. The address may have a password, so nothing prints it.
package struct PostgresAddress: Sendable {
  /// How an address begins.
  package static let schemes = ["postgres://", "postgresql://"]

  /// As libpq reads it.
  let url: String
  /// Reads the password, before each connection. Nil when it is in the address, or where libpq looks for it.
  let password: (@Sendable () -> SecretBytes?)?

  /// - Returns: nil for a text that does not begin like an address.
  package init?(_ url: String, password: (@Sendable () -> SecretBytes?)? = nil) {
    guard Self.schemes.contains(where: url.hasPrefix), !url.utf8.contains(0) else { return nil }
    (self.url, self.password) = (url, password)
  }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "PostgresAddress" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
