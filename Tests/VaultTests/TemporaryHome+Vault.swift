import Ciphers
import TestSupport

@testable import Vault

extension TemporaryHome {
  func create(_ words: String = "open sesame") throws -> Vault {
    try Vault.create(home: path, passphrase: secret(words), cost: .floor, kinds: .tests)
  }

  func open(_ words: String = "open sesame", now: Int64 = 1_000_000) throws -> Vault {
    try Vault.open(home: path, passphrase: secret(words), now: now, kinds: .tests)
  }

  /// Changes the closed file through SQL, as somebody with an editor would.
  func edit(_ body: (Database) throws -> Void) throws {
    let database = try Database(path: file)
    database.foldOnClose()
    try body(database)
  }
}
