import CommandLine
import PushProxy
import SecretMemory
import TerminalUI

/// Where registrations are kept.
enum PushStorage {
  case folder(String)
  case database(PostgresAddress)

  static let usualFolder = "holdfast-push"
  /// The longest password, in bytes.
  private static let longestPassword = 1_024

  /// The database counts before the folder, which a systemd unit may name as well.
  init(_ given: Invocation) throws(CommandError) {
    guard let address = try Self.address(given) else {
      self = .folder(given.value("data") ?? Self.usualFolder)
      return
    }
    self = .database(address)
  }

  /// - Returns: nil when no database is named.
  private static func address(_ given: Invocation) throws(CommandError) -> PostgresAddress? {
    guard let url = given.value("database") else {
      guard !given.has("database-password-file") else {
        throw CommandError(.usage, "--database-password-file is for a database, and --database is missing.")
      }
      return nil
    }
    guard let path = given.value("database-password-file") else { return try address(url) }
    _ = try password(path)
    return try address(url) { try? password(path) }
  }

  private static func address(
    _ url: String, _ password: (@Sendable () -> SecretBytes?)? = nil
  ) throws(CommandError) -> PostgresAddress {
    guard let address = PostgresAddress(url, password: password) else {
      throw PushOptions.wrong("database", "an address that begins with postgres://")
    }
    return address
  }

  private static func password(_ path: String) throws(CommandError) -> SecretBytes {
    do throws(SecretInputError) { return try SecretInput.read(file: path, limit: longestPassword) } catch {
      throw CommandError(error, what: "The database's password")
    }
  }

  /// Whether other proxies may use it at the same time.
  var isShared: Bool { if case .database = self { true } else { false } }

  /// Opens what is there, or makes it.
  func open() throws(CommandError) -> any RegistrationsStore {
    do throws(RegistrationsError) {
      switch self {
      case .folder(let path): return try Registrations(folder: path)
      case .database(let address): return try SharedRegistrations(address)
      }
    } catch { throw CommandError(.failed, error.message) }
  }
}
