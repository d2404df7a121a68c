import Foundation
package import SecretMemory

/// A folder that is gone at the end.
package final class Place {
  package let path = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-backups-\(UUID().uuidString)").path
  package init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  package func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) }
  package func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }
}

/// What the owner of a test's home shows.
package var owner: [String: SecretBox] { get throws { ["passphrase": try box(TestHome.passphrase)] } }
