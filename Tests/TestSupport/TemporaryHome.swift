import Foundation

/// A vault's home folder that is gone when its last owner is. Not made before something is written there.
public final class TemporaryHome: Sendable {
  /// Where it is.
  public let path: String

  /// A path that nobody else has.
  public init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-vault-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The vault's file.
  public var file: String { path + "/vault.db" }

  /// All bytes of a file in it.
  public func bytes(of name: String = "vault.db") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  /// Replaces a file in it.
  public func write(_ bytes: [UInt8], to name: String = "vault.db") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// The names of what lies in it.
  public func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  /// The permissions of a file in it, or its own.
  public func mode(_ name: String = "") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
  }
}
