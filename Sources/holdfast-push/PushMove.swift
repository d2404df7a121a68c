import CommandLine
import JSON
import PushProxy

/// `holdfast-push move-to-database` and back: copies what a proxy keeps.
struct PushMove {
  static let argument = "command"
  static let words = ["move-to-database", "move-to-folder"]

  private let direction: RegistrationsMove.Direction
  private let folder: String
  private let address: PostgresAddress

  /// - Returns: nil when the proxy is to run.
  init?(_ given: Invocation) throws(CommandError) {
    guard let word = given.argument(Self.argument), Self.words.contains(word) else { return nil }
    guard case .database(let address) = try PushStorage(given), let folder = given.value("data") else {
      throw CommandError(
        .usage, "\(word) needs a folder and a database.",
        hint: "For example: holdfast-push \(word) --data DIR --database postgres://USER@HOST/DATABASE")
    }
    (direction, self.folder, self.address) = (word == Self.words[0] ? .toDatabase : .toFolder, folder, address)
  }

  /// - Returns: what was done, as JSON or for people.
  func run(isJSON: Bool) throws(CommandError) -> String {
    let counts: Registrations.Counts
    do throws(RegistrationsError) { counts = try RegistrationsMove.run(direction, folder: folder, database: address) } catch {
      throw CommandError(error, folder: folder)
    }
    guard !isJSON else { return String(decoding: json(counts).serialized(), as: UTF8.self) }
    return """
      Copied: \(counts.targets) devices, \(counts.keys) keys, \(counts.clients) clients.
      What they were copied from stays as it was. Delete it once the proxy runs with the copy, and never run proxies with both.
      """
  }

  private func json(_ counts: Registrations.Counts) -> JSONValue {
    .object([
      .init("ok", .bool(true)), .init("devices", .integer(Int64(counts.targets))), .init("keys", .integer(Int64(counts.keys))),
      .init("clients", .integer(Int64(counts.clients))),
    ])
  }
}
