import Foundation
import SecretMemory
import TestSupport

@testable import Vault

/// A vault with some of everything, and a backup of it beside.
struct BackedUp {
  let home = TemporaryHome()
  let place = TemporaryHome()
  var file: String { place.path + "/one.hfb" }

  /// - Parameter large: bytes of one more record.
  init(large: Int = 0) throws {
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
    let vault = try home.create()
    defer { vault.close() }
    try vault.transaction([
      .put(.identity, [2], Array("alice".utf8)), .put(.identityKey, [2], try box([2, 2]), .whenUnlocked),
      .put(.identityWords, [2], try box([3, 3]), .whenUnlocked),
      .put(.setting, [1], [1, 1, 1]), .put(.pairing, [7], Array("an app".utf8)),
      .put(.pairingKey, [7], try box([5, 5]), .afterFirstUnlock), .put(.link, [8], [8]),
    ])
    if large > 0 { try vault.transaction([.put(.signedCoordinate, [9], [UInt8](repeating: 9, count: large))]) }
    try vault.writeBackup(to: file, number: 3, now: 5_000)
  }

  func opened(_ words: String = "open sesame") throws -> OpenedBackup {
    try BackupFile(path: file).open(passphrase: secret(words))
  }

  func bytes() throws -> [UInt8] { try place.bytes(of: "one.hfb") }
  func write(_ bytes: [UInt8]) throws { try place.write(bytes, to: "one.hfb") }

  /// The fault that reading all of it finds; nil for none.
  func fault() -> BackupError? {
    do {
      _ = try opened().examine(knowing: .tests)
      return nil
    } catch { return error as? BackupError }
  }
}
