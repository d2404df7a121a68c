import CommandLine
import Platform
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
    } catch { throw CommandError(error, folder: folder) }
  }

  /// The data folder. For a database the usual one, which is not used then.
  var folder: String { if case .folder(let path) = self { path } else { Self.usualFolder } }

  /// The process that uses the data folder, or 0 for one that is not known; nil for nobody, and for a database.
  var holder: Int32? { if case .folder(let path) = self { Registrations.holder(of: path) } else { nil } }

  /// A warning for the operator when other users can open the data folder; nil when only its owner can, and for a database.
  var warning: String? {
    guard case .folder(let path) = self else { return nil }
    var about = stat()
    guard stat(path, &about) == 0, about.st_mode & 0o077 != 0 else { return nil }
    let (shown, mode) = (printable(path, limit: 300), String(about.st_mode & 0o777, radix: 8))
    return "Other users can open the data folder \(shown) (mode 0\(mode)), and wake devices or learn who they belong to. "
      + "To close it: chmod 700 \(shown)"
  }
}

// MARK: whether it can be used

extension PushStorage {
  /// Tries what is there, and changes nothing.
  /// - Returns: what was found, in words.
  /// - Throws: why a proxy could not use it.
  func trial() throws(CommandError) -> String {
    switch self {
    case .folder(let path): return try Self.trial(of: path)
    case .database(let address):
      do throws(RegistrationsError) {
        let found = try DatabaseTrial(address)
        return "The database at \(found.place) answers. "
          + (found.hasTables ? "Its tables can be read." : "It has no tables yet: the first proxy makes them.")
      } catch { throw CommandError(error, folder: folder) }
    }
  }

  private static func trial(of path: String) throws(CommandError) -> String {
    let (shown, file) = (printable(path, limit: 300), path + "/push.sqlite")
    guard access(path, F_OK) == 0 else {
      let parent = FilePath.folder(of: path)
      guard errno == ENOENT, access(parent, W_OK | X_OK) == 0 else { throw refused(.making, path) }
      try written(in: parent, for: path)
      return "The data folder \(shown) is made at the first start."
    }
    guard access(path, W_OK | X_OK) == 0 else { throw refused(.locking, path) }
    try written(in: path, for: path)
    guard access(file, F_OK) == 0 else { return "The data folder \(shown) can be written. It has no registrations yet." }
    guard access(file, R_OK | W_OK) == 0 else { throw refused(.opening, path) }
    do throws(RegistrationsError) { try RegistrationsTrial.read(in: path) } catch { throw CommandError(error, folder: path) }
    return "The data folder \(shown) and its registrations can be read and written."
  }

  private static func written(in folder: String, for path: String) throws(CommandError) {
    do throws(RegistrationsError) { try RegistrationsTrial.write(in: folder) } catch { throw CommandError(error, folder: path) }
  }

  private static func refused(_ step: RegistrationsError.Step, _ path: String) -> CommandError {
    CommandError(.io(step, code: errno), folder: path)
  }
}
